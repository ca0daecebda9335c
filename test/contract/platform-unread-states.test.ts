// Runs whose state stands in a form that this version does not read (contract/platform.md 6.4, 6.5, 14).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { openStored } from '../support/stored.ts';

const AGENT = { id: 'one', kind: 'agent', ref: 'a' };
function specOf(name: string, ...steps: Loose[]): Loose {
  return {
    version: 'v1',
    agent: { name: 'root' },
    workflow: { type: 'sequential', name, steps: [AGENT, ...steps, { ...AGENT, id: 'two' }] },
    components: {
      agents: { a: { name: 'a' } },
      humans: { lead: { description: 'Ok?' } },
      functions: { bad: { implementation: 'w.bad' }, wait: { implementation: 'w.wait' } },
    },
  };
}
const ASKING = specOf('asking', { id: 'check', kind: 'human', ref: 'lead' });
const EXPIRING = {
  ...ASKING,
  components: {
    ...ASKING.components,
    humans: { lead: { description: 'Ok?', timeout_seconds: 60, on_timeout: 'continue' } },
  },
};
const FAILING = specOf('failing', { id: 'mid', kind: 'function', ref: 'bad' });
const WAITING = specOf('waiting', { id: 'mid', kind: 'function', ref: 'wait' });

/** Lists and maps of the engine in a form that it does not read. */
function unread(state: Loose): Loose {
  return {
    ...state,
    frames: { f2: { kind: 'workflow', id: 'f2', parent: null, slot: 0 } },
    visited: ['one'],
    step_counts: undefined,
    rows: { 'one|': true },
  };
}

const folder = mkdtempSync(path.join(tmpdir(), 'unread-states-'));
let hangs = true;
const handlers = {
  'w.bad': () => {
    throw new Error('boom');
  },
  'w.wait': () => (hangs ? new Promise(() => undefined) : 'waited'),
};

describe('a state that cannot be read', () => {
  const file = path.join(folder, 'platform.db');
  const ids: Record<string, string> = {};
  let p: TestPlatform;

  beforeEach(async () => {
    hangs = true;
    const before = await startTestPlatform({
      file,
      handlers,
      env: { SERV_WORKER_CONCURRENCY: '8', SERV_SHUTDOWN_TIMEOUT_SECONDS: '0' },
    });
    const specs = { asking: ASKING, other: ASKING, expiring: EXPIRING, failing: FAILING };
    for (const [name, spec] of Object.entries({ ...specs, waiting: WAITING })) {
      const body = { input: 'x', spec, async_mode: true };
      ids[name] = (await before.post('/v1/runs', body)).body.run_id;
    }
    for (const name of ['asking', 'other', 'expiring']) {
      await before.waitFor(ids[name] ?? '', 'blocked');
    }
    await before.waitFor(ids['failing'] ?? '', 'failed');
    let counted = 0;
    while (counted === 0) {
      const { checkpoints } = (await before.get(`/v1/runs/${ids['waiting']}/checkpoints`)).body;
      counted = checkpoints.filter((item: Loose) => item.type === 'step_completed').length;
    }
    await before.stop();
    hangs = false;

    const stored = await openStored(file);
    const rows = stored.prepare<[], Loose>('SELECT run_id, state FROM run_states').all();
    for (const { run_id, state } of rows) {
      const parsed = JSON.parse(state);
      const plain = parsed.value;
      const texts = { texts: [], value: unread(plain) };
      stored
        .prepare('UPDATE run_states SET state = ? WHERE run_id = ?')
        .run(JSON.stringify(texts), run_id);
    }
    await stored.close();
    p = await startTestPlatform({ file, handlers, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
  });
  afterEach(async () => {
    await p.stop();
    rmSync(file, { force: true });
  });

  test('the service starts, reads answer, and every run ends or begins anew', async () => {
    for (const id of Object.values(ids)) {
      for (const read of ['', '/recovery', '/replay', '/graph', '/trace', '/checkpoints']) {
        expect([read, (await p.get(`/v1/runs/${id}${read}`)).status]).toEqual([read, 200]);
      }
    }
    const waiting = await p.waitFor(ids['waiting'] ?? '', 'completed');
    expect(waiting.body.output_text).toContain('waited');

    const task = (await p.get(`/v1/runs/${ids['asking']}`)).body;
    const resumed = await p.post(`/v1/human-tasks/${task.continuation_id}/resume`, {
      request_id: task.pending_human_request.id,
      decision: 'approved',
    });
    const continued = await p.post(`/v1/runs/${ids['other']}/continue`);
    for (const [name, answer] of [
      ['asking', resumed],
      ['other', continued],
    ] as const) {
      expect(answer.status).toBe(409);
      expect(answer.body.detail).toMatchObject({
        error: 'run_state_conflict',
        run_id: ids[name],
        status: 'failed',
      });
      const run = (await p.get(`/v1/runs/${ids[name]}`)).body;
      expect([run.status, run.error.type]).toEqual(['failed', 'error']);
      expect(run.error.message).toBe(answer.body.detail.message);
    }
    const again = await p.post(`/v1/runs/${ids['failing']}/continue`);
    expect([again.status, again.body.detail.error]).toEqual([409, 'run_state_conflict']);

    p.clock.skewMs = 120_000;
    await p.service.sweep();
    expect((await p.get(`/v1/runs/${ids['expiring']}`)).body.status).toBe('failed');
    expect((await p.get('/v1/human-tasks')).body.total).toBe(0);
  });

  test('a waiting run of it can be cancelled', async () => {
    const cancelled = await p.post(`/v1/runs/${ids['asking']}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    const trace = (await p.get(`/v1/runs/${ids['asking']}/trace`)).body;
    expect(trace.complete).toBe(true);
    const { checkpoints } = (await p.get(`/v1/runs/${ids['asking']}/checkpoints`)).body;
    expect(checkpoints.at(-1).type).toBe('run_cancelled');
    expect(checkpoints.map((item: Loose) => item.sequence)).toEqual(
      checkpoints.map((_: Loose, index: number) => index + 1),
    );
  });
});
