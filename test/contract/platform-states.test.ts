// Runs of every kind in every state: each read answers in its declared shape (contract/platform.md 3, 6).
import { request } from 'node:http';
import { Validator } from '@cfworker/json-schema';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

const STEP = { id: 'a', kind: 'agent', ref: 'writer' };
const ASK = { id: 'h', kind: 'human', ref: 'lead' };
const WORK = { id: 'f', kind: 'function', ref: 'work' };

const WORKFLOWS: Readonly<Record<string, (last: Loose) => Loose>> = {
  sequential: (last) => ({ type: 'sequential', name: 'w', steps: [STEP, last] }),
  graph: (last) => ({
    type: 'graph',
    name: 'w',
    start: 'a',
    nodes: { a: STEP, [last.id]: last },
    edges: [{ from: 'a', to: last.id }],
  }),
  handoff: (last) => ({
    type: 'handoff',
    name: 'w',
    participants: [STEP, last],
    selector: { type: 'round_robin' },
  }),
  group_chat: (last) => ({ type: 'group-chat', name: 'w', participants: [STEP, last], rounds: 1 }),
  concurrent: (last) => ({ type: 'concurrent', name: 'w', participants: [STEP, last] }),
};

function specOf(kind: string, last: Loose, human: Loose = {}): Loose {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: WORKFLOWS[kind]?.(last),
    components: {
      agents: { writer: { name: 'writer' } },
      functions: { work: { implementation: 'work.it' } },
      humans: { lead: { description: 'Ok?', timeout_seconds: 60, ...human } },
    },
  };
}

let p: TestPlatform;
let document: Loose;
let fails = false;
let release = (): void => undefined;
let released = Promise.resolve();

beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0' },
    handlers: {
      'work.it': async ([input]) => {
        await released;
        if (fails) throw new Error('broken');
        return `did: ${String(input)}`;
      },
    },
  });
  document = (await p.get('/openapi.json')).body;
});
afterEach(() => release());
afterAll(() => p.stop());

function hold(): void {
  ({ promise: released, resolve: release } = Promise.withResolvers<void>());
}

const run = (spec: unknown, over: Loose = {}) => p.post('/v1/runs', { input: 'x', spec, ...over });

/** Nothing when the answer of a GET fits the document, else what does not. */
async function misfit(path: string, at: string): Promise<string[]> {
  const answer = await p.get(at);
  if (answer.status !== 200) return [`${at} ${answer.status} ${answer.text}`];
  const { schema } = document.paths[path].get.responses['200'].content['application/json'];
  const whole = { ...schema, components: document.components };
  const { errors } = new Validator(whole, '2020-12', false).validate(answer.body);
  return errors.map(({ error, instanceLocation }) => `${path} ${instanceLocation} ${error}`);
}

async function everyRead(id: string): Promise<Loose> {
  const found: string[] = [];
  for (const read of ['', '/recovery', '/replay', '/trace', '/checkpoints']) {
    found.push(...(await misfit(`/v1/runs/{run_id}${read}`, `/v1/runs/${id}${read}`)));
  }
  found.push(...(await misfit('/v1/runs', '/v1/runs?limit=5')));
  found.push(...(await misfit('/v1/human-tasks', `/v1/human-tasks?run_id=${id}`)));
  expect(found).toEqual([]);
  const { body } = await p.get(`/v1/runs/${id}`);
  const list = await p.get('/v1/runs?limit=1000');
  const item = list.body.runs.find((one: Loose) => one.id === id);
  for (const name of Object.keys(body).filter((key) => key !== 'metadata')) {
    expect([name, item[name]]).toEqual([name, body[name]]);
  }
  const { checkpoints } = (await p.get(`/v1/runs/${id}/checkpoints`)).body;
  expect(checkpoints.map(({ sequence }: Loose) => sequence)).toEqual(
    checkpoints.map((_one: Loose, index: number) => index + 1),
  );
  expect(checkpoints[0].type).toBe('run_started');
  const trace = (await p.get(`/v1/runs/${id}/trace?limit=1000`)).body;
  const ids = trace.events.map(({ event_id }: Loose) => event_id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(body.trace_event_count).toBe(ids.length);
  return { ...body, checkpoints };
}

describe.each(Object.keys(WORKFLOWS))('%s', (kind) => {
  test('waits for a person and goes on to its end', async () => {
    const { body } = await run(specOf(kind, ASK));
    expect(body.status).toBe('blocked');
    const [task] = (await p.get(`/v1/human-tasks?run_id=${body.run_id}`)).body.tasks;
    expect(task).toMatchObject({ workflow_kind: kind, workflow_name: 'w', status: 'pending' });
    expect((await p.get(`/v1/human-tasks?workflow_kind=${kind}`)).body.total).toBeGreaterThan(0);
    await everyRead(body.run_id);
    const done = await p.post(`/v1/human-tasks/${task.id}/resume`, {
      request_id: task.request_id,
      decision: 'edited',
      content: 'by hand',
    });
    expect(done.body).toMatchObject({ status: 'completed', output_text: 'by hand' });
    const after = await everyRead(body.run_id);
    expect(after).toMatchObject({ pending_human_request: null, continuation_id: null });
    const types = after.checkpoints.map(({ type }: Loose) => type);
    expect(types).toContain('human_pause');
    expect(types).toContain('human_resume');
    expect(types.at(-1)).toBe('run_completed');
    expect(after.completed_at).not.toBeNull();
    expect(after.metadata.resumed_from_continuation_id).toBe(task.id);
  });

  test('fails at its last step', async () => {
    fails = true;
    const answer = await run(specOf(kind, WORK), { session_id: `fails-${kind}` });
    fails = false;
    expect(answer.status).toBe(500);
    const [record] = (await p.get(`/v1/runs?session_id=fails-${kind}`)).body.runs;
    const after = await everyRead(record.id);
    expect(after).toMatchObject({ status: 'failed', output_text: expect.anything() });
    expect(after.error.message).toContain('broken');
    expect(after.checkpoints.at(-1).type).toBe('run_failed');
  });

  test('is cancelled while it works, and while it waits', async () => {
    hold();
    const { body } = await run(specOf(kind, WORK), { async_mode: true });
    await p.waitFor(body.run_id, 'running');
    await p.call('POST', `/v1/runs/${body.run_id}/cancel`);
    release();
    const after = await everyRead(body.run_id);
    expect(after.status).toBe('cancelled');
    expect(after.checkpoints.at(-1)).toMatchObject({
      type: 'run_cancelled',
      metadata: { reason: 'Run cancellation requested.', requested: true },
    });
    const waiting = await run(specOf(kind, ASK));
    await p.call('POST', `/v1/runs/${waiting.body.run_id}/cancel`);
    expect((await everyRead(waiting.body.run_id)).status).toBe('cancelled');
  });
});

describe('other ends', () => {
  test('a spec that does not compile, a deadline, an expiry', async () => {
    const invalid = await run({ version: 'v1' }, { async_mode: true });
    await p.waitFor(invalid.body.run_id, 'failed');
    const unbuilt = await everyRead(invalid.body.run_id);
    expect(unbuilt.error.type).toBe('SpecCompilationError');
    expect((await p.get(`/v1/runs/${invalid.body.run_id}/graph`)).status).toBe(400);
    const report = await p.get(`/v1/runs/${invalid.body.run_id}/policy-report`);
    expect([report.status, report.body.valid]).toEqual([200, false]);
    const late = await run(specOf('sequential', ASK), { timeout: 1.5 });
    const expired = await run(specOf('graph', ASK, { on_timeout: 'fail' }));
    p.clock.skewMs += 61_000;
    await p.service.sweep();
    const timedOut = await everyRead(late.body.run_id);
    expect(timedOut.error).toEqual({
      type: 'run_timed_out',
      message: 'Run exceeded its 1.5s timeout.',
    });
    expect(timedOut.checkpoints.at(-1)).toMatchObject({
      type: 'run_timed_out',
      metadata: {
        reason: expect.any(String),
        deadline_at: expect.any(Number),
        timed_out_at: expect.anything(),
        status_at_timeout: 'blocked',
      },
    });
    expect((await everyRead(expired.body.run_id)).status).toBe('expired');
  });

  test('a synchronous request answers with the end that others gave its run', async () => {
    hold();
    const cancelled = run(specOf('sequential', WORK), { session_id: 'ended' });
    await expect
      .poll(async () => (await p.get('/v1/runs?session_id=ended&status=running')).body.total)
      .toBe(1);
    const [{ id }] = (await p.get('/v1/runs?session_id=ended')).body.runs;
    await p.call('POST', `/v1/runs/${id}/cancel`);
    const answer = await cancelled;
    expect([answer.status, answer.body.status]).toEqual([200, 'cancelled']);
    expect(answer.body.metadata.cancelled).toBe(true);
    const late = run(specOf('sequential', WORK), { session_id: 'late', timeout: 5 });
    await expect
      .poll(async () => (await p.get('/v1/runs?session_id=late&status=running')).body.total)
      .toBe(1);
    p.clock.skewMs += 6000;
    await p.service.sweep();
    release();
    expect((await late).body).toMatchObject({ status: 'timed_out' });
  });

  test('an escalated task keeps its run, alone shows when (spec-v1 13), and is answered without a limit', async () => {
    const { body } = await run(specOf('sequential', ASK, { on_timeout: 'escalate' }));
    const [before] = (await p.get(`/v1/human-tasks?run_id=${body.run_id}`)).body.tasks;
    p.clock.skewMs += 61_000;
    await p.service.sweep();
    const [task] = (await p.get(`/v1/human-tasks?run_id=${body.run_id}`)).body.tasks;
    expect(task.status).toBe('escalated');
    expect(task.pending_human_request).toMatchObject({
      escalated_at: expect.any(Number),
      original_expires_at: before.expires_at,
    });
    expect(task.expires_at).toBeNull();
    const status = (await p.get(`/v1/runs/${body.run_id}`)).body;
    expect(status.status).toBe('blocked');
    expect(status.pending_human_request).not.toHaveProperty('escalated_at');
    p.clock.skewMs += 10 * 86_400_000;
    await p.service.sweep();
    const done = await p.post(`/v1/human-tasks/${task.id}/resume`, {
      request_id: task.request_id,
      decision: 'approved',
    });
    expect(done.body.status).toBe('completed');
  });
});

describe('lists', () => {
  test('14 numbers and booleans, then texts, then the rest, then what is missing (1.5)', async () => {
    const ranks: readonly unknown[] = [
      'b',
      undefined,
      3,
      true,
      [1],
      'a',
      0.5,
      null,
      { z: 1 },
      false,
    ];
    for (const rank of ranks) {
      await run(TINY, { session_id: 'ranks', metadata: rank === undefined ? {} : { rank } });
    }
    const sorted = async (order: string, more = '') => {
      const at = `/v1/runs?session_id=ranks&sort_by=metadata.caller_metadata.rank&sort_order=${order}`;
      const { body } = await p.get(`${at}${more}`);
      return body.runs.map((item: Loose) => item.metadata.caller_metadata.rank ?? null);
    };
    const ascending = await sorted('asc');
    expect(ascending.slice(0, 4).map(Number)).toEqual([0, 0.5, 1, 3]);
    expect(ascending.slice(4)).toEqual(['a', 'b', [1], { z: 1 }, null, null]);
    const descending = await sorted('desc');
    expect(descending).toEqual([...ascending].reverse());
    expect(await sorted('asc', '&offset=4&limit=2')).toEqual(['a', 'b']);
  });

  test('10 the bounds of creation times are inclusive, in every spelling', async () => {
    const made = await run(TINY, { session_id: 'bounds' });
    const { created_at: at } = (await p.get(`/v1/runs/${made.body.run_id}`)).body;
    const total = async (query: Readonly<Record<string, string>>) => {
      const search = new URLSearchParams({ session_id: 'bounds', ...query });
      return (await p.get(`/v1/runs?${search}`)).body.total;
    };
    const other = (offset: string, hours: number): string => {
      const local = new Date(Date.parse(`${at.slice(0, 19)}Z`) + hours * 3_600_000);
      return `${local.toISOString().slice(0, 19)}${at.slice(19, 26)}${offset}`;
    };
    for (const text of [
      at,
      at.replace('+00:00', 'Z'),
      at.replace('+00:00', ''),
      other('+02:00', 2),
      other('-05:30', -5.5),
    ]) {
      expect([text, await total({ created_after: text })]).toEqual([text, 1]);
      expect([text, await total({ created_before: text })]).toEqual([text, 1]);
    }
    expect(await total({ created_after: at.replace(/\d\+/, '9+'), created_before: at })).toBe(
      at[25] === '9' ? 1 : 0,
    );
    expect(await total({ created_before: at.slice(0, 10) })).toBe(0);
    expect(await total({ created_after: at.slice(0, 10) })).toBe(1);
    for (const bad of [
      '2026-02-30',
      '2026-01-01T25:00:00',
      '1',
      'now',
      '2026-01-01T00:00:00+99:00',
    ]) {
      const answer = await p.get(`/v1/runs?created_after=${encodeURIComponent(bad)}`);
      expect([bad, answer.status]).toEqual([bad, 422]);
      expect(answer.body.detail).toMatchObject({
        error: 'invalid_timestamp',
        param: 'created_after',
      });
    }
  });

  test('13 q finds texts in any case, signs as they are; with filters for page and total', async () => {
    fails = true;
    await run(specOf('sequential', WORK), { session_id: 'search', input: 'one' });
    fails = false;
    for (const input of ['50% off', 'a_b', 'back\\slash', 'ÄÖÜ Straße', 'O\'Hara "x" *']) {
      await run(TINY, { session_id: 'search', input });
    }
    const found = async (q: string, more: Readonly<Record<string, string>> = {}) => {
      const search = new URLSearchParams({ session_id: 'search', q, ...more });
      const { body } = await p.get(`/v1/runs?${search}`);
      expect(body.count).toBe(Math.min(body.total, Number(more['limit'] ?? 100)));
      return body.total;
    };
    expect(await found('BROKEN')).toBe(1);
    expect(await found('broken', { status: 'completed' })).toBe(0);
    expect(await found('final ANSWER', { limit: '1' })).toBe(6);
    for (const text of [
      '%',
      '0% o',
      '_',
      'a_b',
      '\\',
      'back\\s',
      'äöü',
      'STRASSE',
      '"x"',
      "o'h",
      '*',
    ]) {
      expect([text, await found(text)]).toEqual([text, text === 'STRASSE' ? 0 : 1]);
    }
    expect(await found('')).toBe(6);
  });
});

describe('probes and doors', () => {
  test('58 a probe that fails says so and no more', async () => {
    const q = await startTestPlatform({ env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
    const db = await openStored(q.file);
    db.exec('DROP TABLE continuations');
    await db.close();
    const answer = await q.get('/v1/readyz', { key: null });
    await q.stop();
    expect(answer.status).toBe(503);
    expect(answer.body.detail.metadata.checks['continuation_store']).toEqual({
      name: 'continuation_store',
      ok: false,
      error: 'check_failed',
    });
    expect(answer.text).not.toMatch(/no such table|SQLITE/);
  });

  test('68 a foreign Host is refused on every path but the probes (1.1)', async () => {
    const q = await startTestPlatform({ env: { SERV_API_KEYS: '' } });
    const { port } = new URL(q.url);
    const ask = async (host: string, path: string): Promise<number> => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const sent = request({ port, host: '127.0.0.1', path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once('error', reject);
      sent.end();
      return promise;
    };
    try {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        'localhost.evil.example',
        '10.0.0.1',
      ]) {
        for (const path of ['/v1/runs', '/nowhere', '/openapi.json']) {
          expect([host, path, await ask(host, path)]).toEqual([host, path, 403]);
        }
        expect(await ask(host, '/v1/healthz')).toBe(200);
        expect(await ask(host, '/metrics')).toBe(200);
      }
      for (const host of ['localhost', `127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
        expect([host, await ask(host, '/v1/runs')]).toEqual([host, 200]);
      }
    } finally {
      await q.stop();
    }
  });
});
