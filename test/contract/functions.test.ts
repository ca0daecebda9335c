// Project functions over the wire (decisions 8, spec-v1 10): a real platform over a trusted tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { processesOver } from '../support/processes-over.ts';

const CODE = `
export const shout = (input: string) => input.toUpperCase();
export const later = async (input: string) => { await new Promise((done) => setTimeout(done, 5)); return { got: input }; };
export const fails = () => { throw new Error('no route to db with key sk-aaaaaaaaaaaaaaaaaaaaaaaa'); };
export const large = () => 'x'.repeat(5 * 1024 * 1024);
export const spin = () => { for (;;) ; };
export const search = (args: { query: string }) => ({ hits: ['one for ' + args.query] });
export const refuse = (text: string) => ({ passed: !text.includes('bad'), reason: 'the word is bad' });
export const polish = (text: string) => ({ passed: false, revised_text: text + ' (polished)' });
export const compress = (text: string) => 'short: ' + text.length;
export const recall = (text: string, count: number) => 'top ' + count + ' for ' + text;
export const peek = () => process.env.OPENAI_API_KEY ?? 'nothing';
`;

let root: string;
let platform: TestPlatform;

async function startIn(trusted: boolean): Promise<TestPlatform> {
  const env = { OPENAI_API_KEY: 'sk-aaaaaaaaaaaaaaaaaaaaaaaa' };
  return startTestPlatform({ specRoot: root, trusted, env });
}

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'project-'));
  mkdirSync(path.join(root, 'functions', 'desk'), { recursive: true });
  writeFileSync(path.join(root, 'functions', 'desk', 'code.ts'), CODE);
  writeFileSync(path.join(root, 'functions', 'plain.mjs'), 'export const echo = (text) => text;');
  writeFileSync(path.join(root, 'functions', 'broken.ts'), 'export const oops = (;');
  platform = await startIn(true);
});
afterAll(async () => {
  await platform.stop();
  rmSync(root, { recursive: true, force: true });
});

function step(implementation: string, more: Record<string, unknown> = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: [{ id: 'work', kind: 'function', ref: 'work', ...more }],
    },
    components: { functions: { work: { implementation } } },
  };
}

async function run(spec: unknown, input = 'hello', more = {}, on = platform): Promise<Loose> {
  const answer = await on.post('/v1/runs', { spec, input, ...more });
  return { ...answer.body, http: answer.status };
}

describe('steps', () => {
  test('text and objects come back as text; modules of every kind are found', async () => {
    expect(await run(step('desk.code.shout'))).toMatchObject({ output_text: 'HELLO' });
    expect(await run(step('desk.code.later'))).toMatchObject({ output_text: '{"got":"hello"}' });
    expect(await run(step('plain.echo'))).toMatchObject({ output_text: 'hello' });
  });

  test('what the code throws fails the run, redacted wherever it is stored', async () => {
    const service = platform;
    const made = await run(step('desk.code.fails'), 'hello', { async_mode: true });
    const ended = await service.waitFor(made.run_id, 'failed');
    expect(ended.body.error).toMatchObject({ type: 'RuntimeError' });
    expect(ended.body.error.message).toContain('no route to db');
    const checkpoints = await service.get(`/v1/runs/${made.run_id}/checkpoints`);
    const trace = await service.get(`/v1/runs/${made.run_id}/trace`);
    expect(ended.text + checkpoints.text + trace.text).not.toContain('sk-aaaa');
    expect(JSON.stringify(service.logs)).not.toContain('sk-aaaa');
  });

  test('a timeout of the step ends the process, its fallback goes on', async () => {
    const spec = step('desk.code.spin', { timeout_seconds: 1, on_error: 'continue' });
    expect(await run(spec)).toMatchObject({ status: 'completed', output_text: 'hello' });
  });

  test('cancelling the run ends the process long before the limit of a call', async () => {
    const service = platform;
    const made = await run(step('desk.code.spin'), 'hello', { async_mode: true });
    await service.waitFor(made.run_id, 'running');
    const began = performance.now();
    await service.post(`/v1/runs/${made.run_id}/cancel`, {});
    await service.waitFor(made.run_id, 'cancelled');
    // The limit of a call is 30 seconds.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('an answer without bounds fails the run', async () => {
    const service = platform;
    const made = await run(step('desk.code.large'), 'hello', { async_mode: true });
    const ended = await service.waitFor(made.run_id, 'failed');
    expect(ended.body.error.message).toContain('too much');
  });

  test('no variable of the service reaches the code', async () => {
    expect(await run(step('desk.code.peek'))).toMatchObject({ output_text: 'nothing' });
  });
});

describe('spec-v1 6, build stage', () => {
  async function findings(spec: unknown, on = platform): Promise<Loose> {
    const answer = await on.post('/v1/specs/compile', { spec, strict: false });
    return answer.body.diagnostics.map(({ code, path: at }: Loose) => [code, at]);
  }

  test('missing files, missing exports and untrusted trees are findings, never crashes', async () => {
    const at = 'components.functions.work.implementation';
    expect(await findings(step('no.such.thing'))).toContainEqual(['E_HANDLER_NOT_FOUND', at]);
    expect(await findings(step('desk.code.absent'))).toContainEqual(['E_HANDLER_NOT_FOUND', at]);
    expect(await findings(step('desk.code.shout'))).toEqual([]);
    expect(await run(step('desk.code.absent'))).toMatchObject({ http: 400 });
    const other = await startIn(false);
    const spec = step('desk.code.shout');
    expect(await findings(spec, other)).toContainEqual(['E_HANDLER_UNTRUSTED', at]);
    expect(await run(spec, 'hello', {}, other)).toMatchObject({
      http: 400,
      detail: { error: 'spec_invalid' },
    });
    await other.stop();
  });

  test('an asynchronous run of missing code fails with SpecCompilationError', async () => {
    const service = platform;
    const made = await run(step('no.such.thing'), 'hello', { async_mode: true });
    const error = {
      type: 'SpecCompilationError',
      // What the message tells in words, for who has to act on it.
      findings: [{ code: 'E_HANDLER_NOT_FOUND', path: 'components.functions.work.implementation' }],
    };
    expect((await service.waitFor(made.run_id, 'failed')).body.error).toMatchObject(error);
    const recovery = await service.get(`/v1/runs/${made.run_id}/recovery`);
    expect(recovery.body.error).toMatchObject(error);
  });

  test('code that cannot be read fails the run with what is wrong', async () => {
    const service = platform;
    const made = await run(step('broken.oops'), 'hello', { async_mode: true });
    const ended = await service.waitFor(made.run_id, 'failed');
    expect(ended.body.error.message).not.toContain(root);
    expect(ended.body.error.message.length).toBeGreaterThan(5);
  });
});

describe('code behind agents', () => {
  const search = { description: 'find', implementation: 'desk.code.search' };

  test('spec-v1 11.3: a tool gets the argument object, the model its result', async () => {
    const agent = { name: 'desk', strategy: { type: 'react' }, tools: ['web_search'] };
    const made = await run({ version: 'v1', agent, tools: { web_search: search } }, 'search it');
    expect(made.output_text).toBe(
      'Final answer based on tool results: {"hits":["one for search it"]}',
    );
  });

  test('spec-v1 11.3: a tool that throws tells the model and the run goes on', async () => {
    const agent = { name: 'desk', strategy: { type: 'react' }, tools: ['web_search'] };
    const tools = { web_search: { ...search, implementation: 'desk.code.fails' } };
    const made = await run({ version: 'v1', agent, tools }, 'search it');
    expect(made).toMatchObject({ http: 200, status: 'completed' });
    expect(made.output_text).toContain('{"error": "no route to db');
  });

  test('spec-v1 11.4: guardrails by function stop and revise (RP-153)', async () => {
    const guard = (ref: string, action: string) => ({ id: 'g', type: 'function', ref, action });
    const functions = {
      refuse: { implementation: 'desk.code.refuse' },
      polish: { implementation: 'desk.code.polish' },
    };
    const input = { name: 'desk', guardrails: { input: [guard('refuse', 'block')] } };
    const spec = { version: 'v1', agent: input, components: { functions } };
    expect(await run(spec, 'good')).toMatchObject({ output_text: 'Final answer: good' });
    expect(await run(spec, 'bad')).toMatchObject({
      http: 422,
      detail: { error: 'guardrail_violation', violation_type: 'GuardrailViolation' },
    });
    const output = { name: 'desk', guardrails: { output: [guard('polish', 'revise')] } };
    expect(await run({ ...spec, agent: output }, 'x')).toMatchObject({
      output_text: 'Final answer: x (polished)',
    });
  });

  test('spec-v1 11.5: summarizers and retrievers are called with their arguments', async () => {
    const functions = {
      compress: { implementation: 'desk.code.compress' },
      recall: { implementation: 'desk.code.recall' },
    };
    const withMemory = (memory: unknown) => ({
      version: 'v1',
      agent: { name: 'desk', memory },
      components: { functions },
    });
    const summary = await run(withMemory({ policy: 'summary', summarizer: { ref: 'compress' } }));
    expect(summary).toMatchObject({ status: 'completed', output_text: 'Final answer: hello' });
    const recall = { policy: 'retrieval', retriever: { ref: 'recall' }, top_k: 3 };
    const retrieved = await run(withMemory(recall));
    expect(retrieved).toMatchObject({
      status: 'completed',
      metadata: { memory: { before_message_count: 1, after_message_count: 2 } },
    });
  });
});

test('stopping the platform leaves no process of the project behind', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'project-'));
  mkdirSync(path.join(own, 'functions'));
  writeFileSync(path.join(own, 'functions', 'plain.mjs'), 'export const echo = (text) => text;');
  const service = await startTestPlatform({ specRoot: own, trusted: true });
  expect((await run(step('plain.echo'), 'hello', {}, service)).output_text).toBe('hello');
  const taken = `${service.file}.code`;
  expect(processesOver(taken)).toBeGreaterThan(0);
  await service.stop();
  expect(processesOver(taken)).toBe(0);
  rmSync(own, { recursive: true, force: true });
});
