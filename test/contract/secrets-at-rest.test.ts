// Secrets of all shapes through every door, then every byte of the data folder (SECURITY.md, "at rest").
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { leaksIn, planted, plants } from '../support/planted-secrets.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

let model: ModelServer;
let folder: string;
beforeAll(async () => {
  model = await startModelServer();
});
afterEach(() => {
  model.reset();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => model.stop());

const DOORS = ['Inp', 'Meta', 'Prompt', 'Model', 'Tool', 'Human', 'Edit', 'Thread'];

async function open(): Promise<TestPlatform> {
  folder = mkdtempSync(path.join(tmpdir(), 'at-rest-'));
  return startTestPlatform({
    file: path.join(folder, 'platform.db'),
    handlers: { 'desk.look': () => planted('Tool') },
  });
}

const leaks = (): string[] => leaksIn(folder, DOORS);

function spec(more: Loose = {}): Loose {
  return {
    version: 'v1',
    agent: { name: 'root' },
    workflow: {
      type: 'sequential',
      name: 'desk',
      steps: [
        { id: 'first', kind: 'agent', ref: 'clerk' },
        { id: 'check', kind: 'human', ref: 'boss' },
        { id: 'last', kind: 'agent', ref: 'clerk' },
      ],
    },
    components: {
      agents: {
        clerk: {
          name: 'clerk',
          system_prompt: planted('Prompt'),
          model: { provider: 'my-proxy', name: 'm', extra: { base_url: model.baseUrl('openai') } },
          strategy: { type: 'react', max_iterations: 3 },
          tools: { include: ['look'] },
          history: { type: 'buffer' },
        },
      },
      humans: { boss: { description: 'Well?', request_type: 'freeform' } },
    },
    tools: {
      look: { description: 'look', implementation: 'desk.look', parameters: { type: 'object' } },
    },
    ...more,
  };
}

async function blocked(p: TestPlatform, async_mode: boolean): Promise<Loose> {
  model.answerWith((request) =>
    JSON.stringify(request.body).includes('tool_call_id')
      ? { text: planted('Model') }
      : { toolCalls: [{ name: 'look', arguments: {} }] },
  );
  const made = await p.post('/v1/runs', {
    spec: spec(),
    input: planted('Inp'),
    metadata: {
      note: planted('Meta'),
      db_password: plants('Meta').secrets[3],
      nested: { api_key: plants('Meta').secrets[8] },
    },
    async_mode,
  });
  const run = await p.waitFor(made.body.run_id, 'blocked', 'failed', 'completed');
  expect(run.body.status).toBe('blocked');
  return run.body;
}

async function answer(p: TestPlatform, run: Loose): Promise<void> {
  const task = (await p.get(`/v1/human-tasks/${run.continuation_id}`)).body;
  await p.post(`/v1/human-tasks/${run.continuation_id}/resume`, {
    request_id: task.request.id,
    decision: 'provided',
    content: planted('Human'),
  });
  await p.waitFor(run.run_id, 'completed', 'failed');
}

describe('no byte of the data folder holds a secret of a run that is over', {
  timeout: 60_000,
}, () => {
  test.each([
    ['at once', false],
    ['queued', true],
  ])('%s: input, metadata, spec, tool, model, human', async (_how, async_mode) => {
    const p = await open();
    const run = await blocked(p, async_mode);
    await answer(p, run);
    const shown = await p.get(`/v1/runs/${run.run_id}`);
    expect(shown.body.status).toBe('completed');
    await p.stop();
    expect(leaks()).toEqual([]);
    const again = await startTestPlatform({ file: path.join(folder, 'platform.db') });
    expect((await again.get(`/v1/runs/${run.run_id}`)).body).toEqual(shown.body);
    await again.stop();
  });

  test('cancelled while a person was asked', async () => {
    const p = await open();
    const run = await blocked(p, false);
    await p.post(`/v1/runs/${run.run_id}/cancel`, {});
    await p.waitFor(run.run_id, 'cancelled');
    await p.stop();
    expect(leaks()).toEqual([]);
  });

  test('failed, and continued after its texts were masked', async () => {
    const p = await open();
    model.answerWith(() => ({ fault: { kind: 'status', status: 400, message: planted('Model') } }));
    const made = await p.post('/v1/runs', {
      spec: spec(),
      input: planted('Inp'),
      async_mode: true,
    });
    const failed = (await p.waitFor(made.body.run_id, 'failed')).body;
    expect(failed.metadata.masked_origin).toBeUndefined();
    await p.service.sweep();
    await p.stop();
    expect(leaks()).toEqual([]);

    const again = await startTestPlatform({
      file: path.join(folder, 'platform.db'),
      handlers: { 'desk.look': () => planted('Tool') },
    });
    const route = `/v1/runs/${made.body.run_id}`;
    expect((await again.get(`${route}/recovery`)).body.masked).toBe(true);
    model.answerWith(() => ({ text: planted('Model') }));
    const gone = await again.post(`${route}/continue`);
    expect(gone.body.status).toBe('blocked');
    expect(gone.body.metadata.masked_origin).toBe(true);
    await answer(again, gone.body);
    expect((await again.get(route)).body.metadata.masked_origin).toBe(true);
    await again.stop();
    expect(leaks()).toEqual([]);
  });

  test('failed and continued, without a secret: nothing is said of a mask', async () => {
    const p = await open();
    model.answerWith(() => ({ fault: { kind: 'status', status: 400, message: 'no' } }));
    const plain = spec();
    plain.components.agents.clerk.system_prompt = 'Answer.';
    const made = await p.post('/v1/runs', { spec: plain, input: 'hello', async_mode: true });
    await p.waitFor(made.body.run_id, 'failed');
    await p.service.sweep();
    const route = `/v1/runs/${made.body.run_id}`;
    expect((await p.get(`${route}/recovery`)).body.masked).toBeUndefined();
    model.answerWith(() => ({ text: 'fine' }));
    const gone = await p.post(`${route}/continue`);
    expect(gone.body.status).toBe('blocked');
    expect(gone.body.metadata.masked_origin).toBeUndefined();
    await p.stop();
  });

  test('a rerun with edits, whose origin is masked, says so', async () => {
    const p = await open();
    const run = await blocked(p, false);
    await answer(p, run);
    await p.service.sweep();
    await p.stop();
    const again = await startTestPlatform({
      file: path.join(folder, 'platform.db'),
      handlers: { 'desk.look': () => planted('Tool') },
    });
    const points = await again.get(`/v1/runs/${run.run_id}/checkpoints`);
    const at = points.body.checkpoints.at(1).sequence;
    const state = await again.get(`/v1/runs/${run.run_id}/rerun?checkpoint_sequence=${at}`);
    expect(state.body).toMatchObject({ masked: true });
    const rerun = await again.post(`/v1/runs/${run.run_id}/rerun`, {
      checkpoint_sequence: at,
      edits: { messages: [{ role: 'user', content: planted('Edit') }] },
    });
    expect(rerun.status).toBe(200);
    const made = (await again.get(`/v1/runs/${rerun.body.run_id}`)).body;
    expect(made.metadata.masked_origin).toBe(true);
    await again.post(`/v1/runs/${rerun.body.run_id}/cancel`, {});
    await again.stop();
    expect(leaks()).toEqual([]);
  });

  test('a kill between the end and the masking is made up for at the next start', async () => {
    const p = await open();
    const run = await blocked(p, false);
    await answer(p, run);
    await p.stop();
    const { default: Database } = await import('better-sqlite3');
    const store = new Database(path.join(folder, 'platform.db'));
    // As a kill leaves it: the end is committed, the masking is not.
    store.prepare('UPDATE runs SET input_text = ? WHERE id = ?').run(planted('Inp'), run.run_id);
    store.prepare('INSERT INTO runs_to_mask (run_id) VALUES (?)').run(run.run_id);
    store.close();
    expect(leaks()).not.toEqual([]);
    const again = await startTestPlatform({ file: path.join(folder, 'platform.db') });
    await again.stop();
    expect(leaks()).toEqual([]);
  });
});
