import { describe, expect, test } from 'vitest';
import { RUN_STATUSES } from '../../server/contract/platform/run-status.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import {
  dashboard,
  freshDashboards,
  get,
  NOW,
  platform,
  run,
  runPage,
} from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';

freshDashboards();

describe('lists of runs', () => {
  test('the list counts each status under the other filters when it is asked to (OD-095)', async () => {
    platform.on('GET /v1/runs', { body: runPage([run({ metadata: {} })]) });
    const { body } = await get(dashboard(), '/api/runs?status=failed&q=a&status_counts=true');
    expect(body.status_counts).toMatchObject({ running: 1, failed: 1, expired: 1 });
    const [list, ...counts] = platform.calls.map(({ query }) => query);
    expect(list).toMatchObject({ status: 'failed', q: 'a', limit: '50' });
    expect(counts.map(({ status, q, limit }) => [status, q, limit])).toEqual(
      RUN_STATUSES.map((status) => [status, 'a', '1']),
    );
    const plain = await get(dashboard(), '/api/runs?status=failed');
    expect(plain.body).not.toHaveProperty('status_counts');
  });

  test('21-22 facets degrade tier by tier; a bad time is forwarded (OD-110, OD-111, OD-158)', async () => {
    const known = new Set(['status', 'limit', 'offset', 'sort_by', 'sort_order']);
    platform.on('GET /v1/runs', ({ query }) => {
      const unknown = Object.keys(query).filter((name) => !known.has(name));
      return unknown.length > 0
        ? failure(422, 'unknown_query_parameters', { unknown })
        : { body: runPage([]) };
    });
    const to = dashboard();
    const both = await get(to, '/api/runs?q=a&workflow_kind=workflow&status=failed');
    expect(both.body.unsupported_filters).toEqual(['q', 'workflow_kind']);
    expect(platform.calls).toHaveLength(3);
    known.add('workflow_kind');
    const one = await get(to, '/api/runs?q=a&workflow_kind=workflow');
    expect(one.body.unsupported_filters).toEqual(['q']);
    platform.on('GET /v1/runs', failure(422, 'invalid_timestamp', { param: 'created_after' }));
    expect(await get(to, '/api/runs?created_after=soon')).toMatchObject({
      status: 422,
      body: { code: 'invalid_timestamp' },
    });
  });

  test('a platform that cannot end a count early is asked again, and no facet is lost', async () => {
    const asked: unknown[] = [];
    let knows = true;
    platform.on('GET /v1/runs', ({ query }) => {
      asked.push([query['q'], query['status'], query['count_to']]);
      return query['count_to'] !== undefined && !knows
        ? failure(422, 'unknown_query_parameters', { unknown: ['count_to'] })
        : { body: runPage([]) };
    });
    const to = dashboard();
    const { body } = await get(to, '/api/runs?q=a&count_to=300&status_counts=true');
    expect(body.unsupported_filters).toEqual([]);
    // The counts of the statuses end early as well.
    expect(asked).toEqual([
      ['a', undefined, '300'],
      ...RUN_STATUSES.map((status) => ['a', status, '300']),
    ]);
    asked.length = 0;
    knows = false;
    const older = await get(to, '/api/runs?q=a&count_to=300&status_counts=true');
    expect(older.body.unsupported_filters).toEqual([]);
    expect(asked).toEqual([
      ['a', undefined, '300'],
      ['a', undefined, undefined],
      ...RUN_STATUSES.map((status) => ['a', status, undefined]),
    ]);
  });

  test('a sort goes to the platform as it is; without one the newest change comes first', async () => {
    const orders: unknown[] = [];
    platform.on('GET /v1/runs', ({ query }) => {
      orders.push([query['sort_by'], query['sort_order']]);
      return { body: runPage([]) };
    });
    const to = dashboard();
    await get(to, '/api/runs?limit=7');
    await get(to, '/api/runs?sort_by=usage.total_tokens');
    await get(to, '/api/runs?sort_by=created_at&sort_order=asc');
    expect(orders).toEqual([
      ['updated_at', 'desc'],
      ['usage.total_tokens', 'desc'],
      ['created_at', 'asc'],
    ]);
  });

  test('23 stuck_only scans at most five pages of 200 (OD-113, OD-161)', async () => {
    const old = toTimestamp(NOW - 600_000);
    platform.on('GET /v1/runs', ({ query }) => ({
      body: runPage(
        Array.from({ length: 200 }, (_, index) =>
          run({ id: `r${query['offset']}-${index}`, status: 'running', updated_at: old }),
        ),
        5000,
      ),
    }));
    const { body } = await get(dashboard(), '/api/runs?stuck_only=true&limit=3&offset=7');
    expect(platform.calls).toHaveLength(5);
    expect(body).toMatchObject({ count: 1000, total: 1000, limit: 200, offset: 0, window: 1000 });
  });
});
