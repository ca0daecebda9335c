// What models used, by day, key, workflow, step and model (docs/usage.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { desk, open, p, run, server, shareModels } from '../support/models-world.ts';
import type { Loose, TestPlatform } from '../support/platform.ts';
import { openStored } from '../support/stored.ts';

shareModels();

const PROCESS = fileURLToPath(new URL('../support/events-process.ts', import.meta.url));
const DAY_MS = 86_400_000;

/** A workflow of two agents on two models, and the answers that it gets. */
function pair(): Loose {
  const agent = (name: string, model: string) => ({
    name,
    model: { provider: 'openai', name: model, extra: { base_url: server.baseUrl('openai') } },
  });
  server.reply(
    { text: 'a draft', usage: { input: 100, output: 20, cached: 60, reasoning: 8 } },
    { text: 'a look', usage: { input: 10, output: 2 } },
  );
  return {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: {
      type: 'sequential',
      name: 'letters',
      steps: [
        { id: 'write', kind: 'agent', ref: 'writer' },
        { id: 'check', kind: 'agent', ref: 'checker' },
      ],
    },
    components: {
      agents: { writer: agent('writer', 'm-big'), checker: agent('checker', 'm-small') },
    },
  };
}

const BIG = {
  ...{ calls: 1, input_tokens: 100, cached_input_tokens: 60 },
  ...{ output_tokens: 20, reasoning_tokens: 8, total_tokens: 120 },
};
const SMALL = {
  ...{ calls: 1, input_tokens: 10, cached_input_tokens: 0 },
  ...{ output_tokens: 2, reasoning_tokens: 0, total_tokens: 12 },
};

const usage = async (on: TestPlatform, query: string): Promise<Loose> =>
  (await on.get(`/v1/usage?${query}`)).body;

describe('usage of a run', () => {
  test('stands in the run, with its parts where there are some, and by step and model', async () => {
    const { body } = await run(pair());
    expect(body.status).toBe('completed');
    const stored = await p.get(`/v1/runs/${body.run_id}`);
    const both = { input_tokens: 110, output_tokens: 22, total_tokens: 132 };
    const parts = { cached_input_tokens: 60, reasoning_tokens: 8 };
    expect(stored.body.usage).toEqual({ ...both, ...parts });
    expect(stored.body.metadata.usage).toEqual({ ...both, ...parts });
    const told = await p.get(`/v1/runs/${body.run_id}/usage`);
    expect(told.body).toEqual({
      run_id: body.run_id,
      steps: [
        { step: 'write', provider: 'openai', model: 'm-big', ...BIG },
        { step: 'check', provider: 'openai', model: 'm-small', ...SMALL },
      ],
      total: { ...both, ...parts, calls: 2 },
    });
  });

  test('says what it said before where no provider tells of parts', async () => {
    server.reply({ text: 'ok', usage: { input: 3, output: 1 } });
    const { body } = await run(desk());
    const stored = await p.get(`/v1/runs/${body.run_id}`);
    expect(stored.body.usage).toEqual({ input_tokens: 3, output_tokens: 1, total_tokens: 4 });
  });

  test('of nobody is not found, of one without models is empty', async () => {
    expect((await p.get('/v1/runs/nobody/usage')).status).toBe(404);
  });
});

describe('usage of all', () => {
  test('by day, key, workflow, step and model; the key by its name', async () => {
    const on = await open();
    await run(pair(), {}, on);
    server.reply({ text: 'ok', usage: { input: 5, output: 5 } });
    await on.post('/v1/runs', { input: 'x', spec: desk() }, { key: 'service-key' });
    const today = new Date().toISOString().slice(0, 10);
    const byKey = await usage(on, 'group_by=key');
    expect(byKey.rows).toMatchObject([
      { key: 'admin', calls: 2, total_tokens: 132, cached_input_tokens: 60, reasoning_tokens: 8 },
      { key: 'service', calls: 1, total_tokens: 10 },
    ]);
    expect(JSON.stringify(byKey)).not.toContain('service-key');
    expect(byKey.total).toMatchObject({ calls: 3, total_tokens: 142 });
    const fine = await usage(on, 'group_by=day&group_by=workflow&group_by=step&group_by=model');
    expect(fine.rows).toEqual([
      { day: today, workflow: 'letters', step: 'write', model: 'm-big', ...BIG },
      { day: today, workflow: 'letters', step: 'check', model: 'm-small', ...SMALL },
      expect.objectContaining({ day: today, workflow: '', step: '', model: 'm-1' }),
    ]);
    const narrow = await usage(on, 'group_by=model&workflow=letters&limit=1');
    expect(narrow).toMatchObject({
      rows: [{ model: 'm-big' }],
      truncated: true,
      total: { total_tokens: 132 },
    });
    expect((await usage(on, 'key=service')).total.total_tokens).toBe(10);
    const past = await usage(on, 'from=2001-01-01&to=2001-02-01');
    expect(past).toMatchObject({ rows: [], total: { calls: 0, total_tokens: 0 } });
  });

  test('a queued run counts for the key that asked for it', async () => {
    const on = await open();
    server.reply({ text: 'ok', usage: { input: 5, output: 5 } });
    const body = { input: 'x', spec: desk(), async_mode: true };
    const made = await on.post('/v1/runs', body, { key: 'operator-key' });
    await on.waitFor(made.body.run_id, 'completed');
    expect((await usage(on, 'group_by=key')).rows).toMatchObject([{ key: 'operator', calls: 1 }]);
  });

  test('the answers of a recording used nothing', async () => {
    const on = await open();
    server.reply({ text: 'ok', usage: { input: 5, output: 5 } });
    await run(desk(), { metadata: { recording: { mode: 'record', name: 'desk' } } }, on);
    const replay = { metadata: { recording: { mode: 'replay', name: 'desk' } } };
    const replayed = await run(desk(), replay, on);
    expect(replayed.body.status).toBe('completed');
    expect((await usage(on, 'group_by=model')).total).toMatchObject({ calls: 1, total_tokens: 10 });
  });

  test.each([
    ['group_by=colour', 422],
    ['from=yesterday', 422],
    ['from=2026-02-31', 422],
    ['from=2026-02-02&to=2026-02-01', 400],
    ['from=2020-01-01&to=2026-02-01', 400],
  ])('%s is refused', async (query, status) => {
    expect((await p.get(`/v1/usage?${query}`)).status).toBe(status);
  });

  test('days are kept as long as the setting says, and a run as long as the run', async () => {
    const on = await open({ SERV_USAGE_KEEP_DAYS: '5' });
    const { body } = await run(pair(), {}, on);
    await on.service.stop();
    const db = await openStored(on.file);
    const today = new Date().toISOString().slice(0, 10);
    const old = new Date(Date.now() - 6 * DAY_MS).toISOString().slice(0, 10);
    db.prepare(
      `UPDATE ${onPostgres ? 'usage_changes' : 'usage_by_day'} SET day = ? WHERE day = ? AND step = ?`,
    ).run(old, today, 'check');
    await db.close();
    const again = await open({ SERV_USAGE_KEEP_DAYS: '5' }, on.file);
    await expect
      .poll(async () => (await usage(again, 'group_by=step')).rows.map(({ step }: Loose) => step))
      .toEqual(['write']);
    expect((await again.get(`/v1/runs/${body.run_id}/usage`)).body.steps).toHaveLength(2);
  });

  test('kill -9 right after the answers: what they used is counted once', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'usage-'));
    const file = path.join(folder, 'platform.db');
    const child = spawn(process.execPath, [PROCESS, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const headers = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };
      const body = JSON.stringify({ input: 'x', spec: desk({ provider: 'ollama' }) });
      const send = () =>
        fetch(`${line.toString().trim()}/v1/runs`, { method: 'POST', headers, body });
      const answers = await Promise.all(Array.from({ length: 6 }, send));
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      const on = await open({}, file);
      expect((await usage(on, '')).total).toMatchObject({ calls: 6, total_tokens: 6 * 18 });
      await on.service.stop();
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
