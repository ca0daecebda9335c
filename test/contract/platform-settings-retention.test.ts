// Settings of contract/platform.md 12 for what is kept, and for how long.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import {
  DAY_MS,
  folder,
  freshStores,
  open,
  release,
  rows,
  run,
  steps,
} from '../support/settings-world.ts';
import { TINY } from '../support/specs.ts';

freshStores();

describe('retention', () => {
  test.each([
    ['RUNS', { runs: 1 }],
    ['CHECKPOINTS', { checkpoints: 2 }],
    ['QUEUE', { queue_records: 1 }],
    ['AUDIT', { audit_events: 1 }],
    ['IDEMPOTENCY', { idempotency_records: 1 }],
    ['CONTINUATIONS', {}],
  ] as const)(
    'SERV_RETENTION_%s_DAYS removes old rows of that kind only',
    async (kind, removed) => {
      const p = await open({ [`SERV_RETENTION_${kind}_DAYS`]: '3' });
      const headers = { 'idempotency-key': 'k' };
      const old = await p.post(
        '/v1/runs',
        { input: 'old', spec: TINY, async_mode: true },
        { headers },
      );
      await p.waitFor(old.body.run_id, 'completed');
      const blocked = await run(p, { spec: steps('human') });
      p.clock.skewMs += 2.9 * DAY_MS;
      const none = {
        runs: 0,
        checkpoints: 0,
        queue_records: 0,
        continuations: 0,
        audit_events: 0,
        idempotency_records: 0,
        artifacts: 0,
        logs: 0,
      };
      expect(await p.service.retain({ dryRun: false })).toEqual(none);
      const young = await run(p, { input: 'young' });
      p.clock.skewMs += 0.2 * DAY_MS;
      const expected = { ...none, ...removed, ...(kind === 'AUDIT' ? { audit_events: 2 } : {}) };
      expect(await p.service.retain({ dryRun: true })).toEqual(expected);
      expect(await p.service.retain({ dryRun: false })).toEqual(expected);
      expect(await p.service.retain({ dryRun: false })).toEqual(none);
      expect((await p.get(`/v1/runs/${young.body.run_id}`)).status).toBe(200);
      expect((await p.get(`/v1/runs/${blocked.body.run_id}`)).body.status).toBe('blocked');
      expect((await p.get('/v1/human-tasks')).body.total).toBe(1);
      const gone = kind === 'RUNS';
      expect((await p.get(`/v1/runs/${old.body.run_id}`)).status).toBe(gone ? 404 : 200);
      const list = await p.get('/v1/runs?q=old');
      expect([list.body.total, list.body.count]).toEqual(gone ? [0, 0] : [1, 1]);
      expect((await p.get('/v1/runs')).body.total).toBe(gone ? 2 : 3);
      const audit = await p.get(`/v1/audit-events?run_id=${old.body.run_id}`);
      expect(audit.body.total).toBe(gone || kind === 'AUDIT' ? 0 : 1);
      if (gone) {
        for (const table of ['checkpoints', 'run_queue', 'trace_events', 'run_states']) {
          const left = await rows(
            `SELECT run_id FROM ${table} WHERE run_id = '${old.body.run_id}'`,
          );
          expect([table, left]).toEqual([table, []]);
        }
      }
      const same = { input: 'old', spec: TINY, async_mode: true };
      const again = await p.post('/v1/runs', same, { headers });
      expect(again.body.run_id === old.body.run_id).toBe(kind !== 'IDEMPOTENCY');
    },
  );

  test('SERV_RETENTION_RUN_STATUSES keeps the others', async () => {
    const p = await open({
      SERV_RETENTION_RUNS_DAYS: '1',
      SERV_RETENTION_RUN_STATUSES: 'failed, cancelled',
    });
    await run(p);
    await run(p, { spec: { version: 'v1' } });
    p.clock.skewMs += 2 * DAY_MS;
    expect((await p.service.retain({ dryRun: false })).runs).toBe(1);
    expect((await p.get('/v1/runs')).body.runs.map(({ status }: Loose) => status)).toEqual([
      'completed',
    ]);
  });

  test('checkpoints on both sides of the cutoff stay readable', async () => {
    const p = await open({ SERV_RETENTION_CHECKPOINTS_DAYS: '3' });
    const { body } = await run(p, { spec: steps('agent', 'function', 'agent'), async_mode: true });
    await p.waitFor(body.run_id, 'running');
    await expect
      .poll(async () => (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.total)
      .toBe(2);
    p.clock.skewMs += 2 * DAY_MS;
    release();
    await p.waitFor(body.run_id, 'completed');
    const before = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.checkpoints;
    p.clock.skewMs += 2 * DAY_MS;
    await p.service.retain({ dryRun: false });
    const after = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.checkpoints;
    expect(after.length).toBeGreaterThanOrEqual(2);
    const states = (list: Loose[]) => list.slice(-2).map(({ state }) => state);
    expect(states(after)).toEqual(states(before));
    p.clock.skewMs += 2 * DAY_MS;
    await p.service.retain({ dryRun: false });
    expect((await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.total).toBe(0);
  });

  test('SERV_ARTIFACT_PATH and SERV_LOG_PATH lose old files and emptied folders', async () => {
    const artifacts = path.join(folder, 'artifacts');
    const logs = path.join(folder, 'logs');
    mkdirSync(artifacts);
    mkdirSync(logs);
    const write = (name: string, days: number): string => {
      writeFileSync(name, 'x');
      const at = (Date.now() - days * DAY_MS) / 1000;
      utimesSync(name, at, at);
      return name;
    };
    const p = await open({
      SERV_RETENTION_ARTIFACTS_DAYS: '3',
      SERV_RETENTION_LOGS_DAYS: '9',
      SERV_ARTIFACT_PATH: artifacts,
      SERV_LOG_PATH: logs,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    mkdirSync(path.join(artifacts, 'deep'));
    const old = write(path.join(artifacts, 'deep', 'old.txt'), 5);
    const young = write(path.join(artifacts, 'young.txt'), 1);
    const line = write(path.join(logs, 'old.log'), 5);
    expect(await p.service.retain({ dryRun: true })).toMatchObject({ artifacts: 1, logs: 0 });
    expect(existsSync(old)).toBe(true);
    expect(await p.service.retain({ dryRun: false })).toMatchObject({ artifacts: 1, logs: 0 });
    expect([existsSync(path.dirname(old)), existsSync(young), existsSync(line)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
