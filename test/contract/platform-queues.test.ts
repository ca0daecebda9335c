// Named queues, priorities and concurrency (contract/platform.md 6.5), over the wire.
import { describe, expect, test } from 'vitest';
import type { Loose, TestPlatform } from '../support/platform.ts';
import { freshStores, open, release, rows, run, steps } from '../support/settings-world.ts';

freshStores();

async function queue(p: TestPlatform, metadata: Loose, over: Loose = {}): Promise<string> {
  const answer = await run(p, { spec: steps('function'), async_mode: true, metadata, ...over });
  expect(answer.status).toBe(202);
  return answer.body.run_id;
}

async function order(p: TestPlatform, ids: readonly string[]): Promise<string[]> {
  release();
  for (const id of ids) await p.waitFor(id, 'completed');
  const begun = await rows(
    `SELECT id FROM runs JOIN run_queue ON run_id = id WHERE started_at IS NOT NULL
     ORDER BY started_at, run_queue.rowid`,
  );
  return begun.map(({ id }) => id);
}

const executing = async (p: TestPlatform): Promise<number> =>
  (await p.get('/v1/runs?status=running')).body.total;

describe('the order of the queue', () => {
  test('without settings a request may say what it likes: runs go as they came (RP-003)', async () => {
    const p = await open({});
    const ids = [];
    for (const metadata of [{}, { queue: 'mine' }, { priority: 'high' }, { queue: 7 }]) {
      ids.push(await queue(p, metadata));
    }
    expect(await order(p, ids)).toEqual(ids);
  });

  test('a higher priority goes first, a lower one last', async () => {
    const p = await open({});
    const first = await queue(p, {});
    await expect.poll(() => executing(p)).toBe(1);
    const low = await queue(p, { priority: -5 });
    const plain = await queue(p, {});
    const high = await queue(p, { priority: 5 });
    expect(await order(p, [first, low, plain, high])).toEqual([first, high, plain, low]);
  });

  test('queues take turns, and a queue that does not exist is refused', async () => {
    const p = await open({ SERV_QUEUES: 'bulk' });
    const first = await queue(p, {});
    await expect.poll(() => executing(p)).toBe(1);
    const bulk = [];
    for (let n = 0; n < 3; n += 1) bulk.push(await queue(p, { queue: 'bulk' }));
    const plain = await queue(p, {});
    const refused = await run(p, { async_mode: true, metadata: { queue: 'bluk' } });
    expect(refused.status).toBe(400);
    expect(refused.body.detail.message).toContain('default, bulk');
    const begun = await order(p, [first, ...bulk, plain]);
    expect(begun.slice(0, 3)).toEqual([first, bulk[0], plain]);
  });
});

describe('how many execute at once', () => {
  test('a queue, a workflow, a caller and a key each have their limit; what it leaves goes to others', async () => {
    const p = await open({
      SERV_WORKER_CONCURRENCY: '4',
      SERV_WORKER_IDLE_POLL_SECONDS: '0.05',
      SERV_QUEUES: 'bulk=1',
    });
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await queue(p, { queue: 'bulk' }));
    for (let n = 0; n < 2; n += 1) ids.push(await queue(p, { concurrency_key: 'customer-7' }));
    await expect.poll(() => executing(p)).toBe(2);
    ids.push(await queue(p, { concurrency_key: 'customer-8' }));
    await expect.poll(() => executing(p)).toBe(3);
    const counts = await rows(
      "SELECT queue, count(*) AS n FROM run_queue WHERE status = 'running' GROUP BY queue ORDER BY queue",
    );
    expect(counts).toEqual([
      { queue: 'bulk', n: 1 },
      { queue: 'default', n: 2 },
    ]);
    const { queue: probe } = (await p.get('/v1/readyz')).body.metadata.checks;
    expect(probe.queues).toEqual({
      default: { queued: 1, running: 2, limit: null },
      bulk: { queued: 2, running: 1, limit: 1 },
    });
    expect(probe.detail).toContain('bulk: 2 waiting, 1 of 1 executing');
    const metrics = (await p.get('/metrics')).text;
    expect(metrics).toMatch(/^run_queue_depth\{queue="bulk"\} 2$/m);
    expect(metrics).toMatch(/^run_queue_executing\{queue="default"\} 2$/m);
    await order(p, ids);
  });

  test('SERV_WORKFLOW_CONCURRENCY and SERV_CALLER_CONCURRENCY', async () => {
    const p = await open({
      SERV_WORKER_CONCURRENCY: '4',
      SERV_WORKER_IDLE_POLL_SECONDS: '0.05',
      SERV_WORKFLOW_CONCURRENCY: 'pipe=2',
      SERV_CALLER_CONCURRENCY: 'operator=1,*=9',
    });
    const byOperator = { key: 'operator-key' };
    const ids = [];
    for (let n = 0; n < 2; n += 1) {
      const body = { input: 'x', spec: steps('function'), async_mode: true };
      ids.push((await p.post('/v1/runs', body, byOperator)).body.run_id);
    }
    await expect.poll(() => executing(p)).toBe(1);
    for (let n = 0; n < 2; n += 1) ids.push(await queue(p, {}));
    await expect.poll(() => executing(p)).toBe(2);
    // Another workflow is at no limit.
    const spec = { ...steps('function') };
    spec.workflow = { ...spec.workflow, name: 'other' };
    ids.push(await queue(p, {}, { spec }));
    await expect.poll(() => executing(p)).toBe(3);
    await order(p, ids);
  });
});
