// Models over the wire: a real platform, a real HTTP server in place of the provider.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ModelFault, type ModelServer, startModelServer } from '../support/model-server.ts';
import type { WireFormat } from '../support/model-wire.ts';
import {
  type Answer,
  type Loose,
  startTestPlatform,
  type TestPlatform,
} from '../support/platform.ts';

const KEY = 'sk-THISKEYMUSTNOTLEAK0123456789';
/** A secret that a model says; the run's own row keeps its text (contract/platform.md 9). */
const ELSE = 'sk-SOMEBODYELSES0123456789';
const NAMED = 'plainlookingvaluethatmuststaysecret42';
const ENV = {
  OPENAI_API_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
  GOOGLE_API_KEY: KEY,
  MY_MODEL_SECRET: NAMED,
  SERV_SPEC_SECRETS: 'MY_MODEL_SECRET',
};
const PROVIDERS: [string, WireFormat][] = [
  ['openai', 'openai'],
  ['openai-compatible', 'openai'],
  ['ollama', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['some-proxy', 'openai'],
];

let server: ModelServer;
let root: string;
let p: TestPlatform;
const opened: TestPlatform[] = [];

async function open(env: Record<string, string> = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    env: { ...ENV, ...env },
    specRoot: root,
    handlers: {
      'orders.lookup': ([args]) => `order ${(args as { id: string }).id} was shipped`,
      'orders.broken': () => {
        throw new Error('the warehouse is closed');
      },
    },
  });
  opened.push(platform);
  return platform;
}

beforeAll(async () => {
  server = await startModelServer();
  root = mkdtempSync(path.join(tmpdir(), 'models-'));
  p = await open();
});
afterEach(() => server.reset());
afterAll(async () => {
  for (const platform of opened) await platform.stop();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

interface Desk {
  readonly provider?: string;
  readonly format?: WireFormat;
  readonly model?: Record<string, unknown>;
  readonly agent?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
}

function desk({ provider = 'openai', format = 'openai', model, agent, more }: Desk = {}): Loose {
  return {
    version: 'v1',
    agent: {
      name: 'desk',
      system_prompt: 'Answer in one sentence.',
      model: { provider, name: 'm-1', extra: { base_url: server.baseUrl(format) }, ...model },
      ...agent,
    },
    ...more,
  };
}

const TOOLS = {
  agent: { strategy: { type: 'react', max_iterations: 4 }, tools: { include: ['lookup'] } },
  more: {
    tools: {
      lookup: {
        description: 'Looks an order up',
        implementation: 'orders.lookup',
        parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
    },
  },
};

function run(spec: Loose, more: Record<string, unknown> = {}, on = p): Promise<Answer> {
  return on.post('/v1/runs', { input: 'Where is order A-7?', spec, ...more });
}

async function latest(on: TestPlatform): Promise<Loose> {
  const list = await on.get('/v1/runs?limit=1&sort_by=created_at&sort_order=desc');
  return (await on.get(`/v1/runs/${list.body.runs[0].run_id}`)).body;
}

describe.each(PROVIDERS)('%s', (provider, format) => {
  test('answers a run: output, usage, trace (spec-v1 10, 17; RP-061)', async () => {
    server.reply({ text: 'It is on its way.', usage: { input: 30, output: 6 } });
    const answer = await run(
      desk({ provider, format, model: { max_tokens: 99, temperature: 0.1 } }),
    );
    expect([answer.status, answer.body.status, answer.body.output_text]).toEqual([
      200,
      'completed',
      'It is on its way.',
    ]);
    const stored = await p.get(`/v1/runs/${answer.body.run_id}`);
    expect(stored.body.usage).toEqual({ input_tokens: 30, output_tokens: 6, total_tokens: 36 });
    expect(stored.body.metadata).toMatchObject({
      runtime_mode: 'native',
      runtime_name: `simple@${provider}`,
      sdk: provider,
    });
    expect(stored.body.metadata.model_warning).toBeUndefined();
    const trace = await p.get(`/v1/runs/${answer.body.run_id}/trace`);
    expect(trace.body.events.map((event: Loose) => event.type)).toEqual([
      'run_started',
      'run_completed',
    ]);
    expect(trace.body.events[1]).toMatchObject({
      runtime_mode: 'native',
      model_provider: provider,
      model_name: 'm-1',
      output_preview: 'It is on its way.',
    });
    const [request] = server.requests;
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain('Answer in one sentence.');
    expect(sent).toContain('Where is order A-7?');
    expect(sent).toContain('0.1');
    expect(sent).toContain('99');
  });

  test('a tool loop ends with the answer that follows the result (spec-v1 11.2, 11.3)', async () => {
    server.reply(
      { text: 'Let me look.', toolCalls: [{ id: 'c1', name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: 'A-7 was shipped.' },
    );
    const answer = await run(desk({ provider, format, ...TOOLS }));
    expect([answer.status, answer.body.output_text]).toEqual([200, 'A-7 was shipped.']);
    expect(answer.body.metadata.iterations).toBe(2);
    const stored = await p.get(`/v1/runs/${answer.body.run_id}`);
    expect(stored.body.usage).toEqual({ input_tokens: 22, output_tokens: 14, total_tokens: 36 });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('order A-7 was shipped');
  });
});

describe('tools', () => {
  test('a tool that throws is told to the model; the loop goes on', async () => {
    server.reply(
      { toolCalls: [{ name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: 'The warehouse is closed.' },
    );
    const spec = desk(TOOLS);
    spec.tools = { lookup: { ...TOOLS.more.tools.lookup, implementation: 'orders.broken' } };
    expect((await run(spec)).body.output_text).toBe('The warehouse is closed.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('the warehouse is closed');
  });

  test('arguments that do not fit are refused: sync 422, async failed (11.3)', async () => {
    server.answerWith(() => ({ toolCalls: [{ name: 'lookup', arguments: { wrong: 1 } }] }));
    const sync = await run(desk(TOOLS));
    expect([sync.status, sync.body.detail.error]).toEqual([422, 'guardrail_violation']);
    const { body } = await run(desk(TOOLS), { async_mode: true });
    const failed = await p.waitFor(body.run_id, 'failed');
    expect(failed.body.error.type).toBe('ToolMiddlewareViolation');
  });
});

const KEY_FAULT: ModelFault = {
  kind: 'status',
  status: 401,
  code: 'invalid_api_key',
  message: `Incorrect key ${KEY} for Where is order`,
};

describe('faults end a run in the status and code of the contract (4.2, 6.3)', () => {
  const cases: [string, ModelFault, string][] = [
    ['a refused key', KEY_FAULT, 'model_key_refused'],
    [
      'an unknown model',
      { kind: 'status', status: 404, code: 'model_not_found' },
      'model_not_found',
    ],
    ['a rate limit', { kind: 'status', status: 429 }, 'model_rate_limited'],
    ['a failing server', { kind: 'status', status: 500 }, 'model_server_failed'],
    ['malformed frames', { kind: 'malformed' }, 'model_answer_malformed'],
    ['a truncated stream', { kind: 'truncated' }, 'model_answer_malformed'],
    ['a broken connection', { kind: 'reset' }, 'model_unreachable'],
    ['a page', { kind: 'html' }, 'model_answer_malformed'],
    [
      'an error within the stream',
      { kind: 'error_frame', code: 'overloaded', message: KEY },
      'model_server_failed',
    ],
  ];
  test.each(cases)('%s', async (_, fault, code) => {
    server.answerWith(() => ({ text: 'a longer text that breaks off somewhere', fault }));
    const sync = await run(desk());
    expect([sync.status, sync.body.detail.error]).toEqual([500, 'internal_error']);
    const { body } = await run(desk(), { async_mode: true });
    const failed = await p.waitFor(body.run_id, 'failed');
    expect(failed.body.error.type).toBe('RuntimeError');
    expect(failed.body.error.message).toContain(`${code}: `);
    expect(failed.body.error.message).not.toContain(KEY);
    expect(failed.body.error.message).not.toContain('Where is order');
    const trace = await p.get(`/v1/runs/${body.run_id}/trace`);
    expect(trace.body.events.at(-1)).toMatchObject({
      type: 'run_failed',
      model_provider: 'openai',
    });
  });

  test('a server that is not there', async () => {
    const spec = desk({ model: { extra: { base_url: 'http://127.0.0.1:9/v1' } } });
    expect((await run(spec)).status).toBe(500);
    expect((await latest(p)).error).toMatchObject({
      type: 'RuntimeError',
      message: expect.stringContaining('model_unreachable: '),
    });
  });

  test('settings that cannot be used are 400 invalid_request', async () => {
    const wrong = [{ base_url: 'ftp://x' }, { base_url: server.baseUrl('openai'), top_p: 'high' }];
    for (const extra of wrong) {
      const answer = await run(desk({ model: { extra } }));
      expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
      expect(answer.body.detail.message).toContain('model_settings_invalid');
    }
    expect(server.requests).toHaveLength(0);
  });

  test('an answer that was cut at max_tokens completes with a warning', async () => {
    server.reply({ text: 'It was ship', finish: 'length' });
    const answer = await run(desk());
    expect(answer.body).toMatchObject({ status: 'completed', output_text: 'It was ship' });
    expect(answer.body.metadata.model_warning).toContain('was cut at max_tokens');
  });

  test('an answer without end stops at its limit; memory stays bounded', async () => {
    server.reply({ fault: { kind: 'huge' } });
    expect((await run(desk())).status).toBe(500);
    expect((await latest(p)).error.message).toContain('model_answer_too_large: ');
    await expect.poll(() => server.abandoned()).toBe(1);
  });

  test.each(['hang', 'hang_mid_stream', 'drip'] as const)(
    'model.timeout_seconds ends %s',
    async (kind) => {
      const fault = kind === 'drip' ? { kind, everyMs: 400 } : { kind };
      server.answerWith(() => ({ text: 'a longer text that comes slowly', fault }));
      const { body } = await run(desk({ model: { timeout_seconds: 1 } }), { async_mode: true });
      const failed = await p.waitFor(body.run_id, 'failed');
      expect(failed.body.error).toMatchObject({
        type: 'RetryTimeoutError',
        message: expect.stringContaining('model_timeout: '),
      });
      expect(server.requests).toHaveLength(1);
      await expect.poll(() => server.abandoned()).toBe(1);
    },
  );
});

describe('retries (12; 16 no. 75)', () => {
  test('SERV_PROVIDER_RETRIES repeats what may pass, not what cannot', async () => {
    const q = await open({ SERV_PROVIDER_RETRIES: '2' });
    server.reply(
      { fault: { kind: 'status', status: 503 } },
      { fault: { kind: 'reset' } },
      { text: 'at last' },
    );
    expect((await run(desk(), {}, q)).body.output_text).toBe('at last');
    server.reset();
    server.answerWith(() => ({ fault: KEY_FAULT }));
    expect((await run(desk(), {}, q)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  test('Retry-After is waited for; one that is too long is not', async () => {
    const q = await open({ SERV_PROVIDER_RETRIES: '1' });
    const limited = (after: string): ModelFault => {
      return { kind: 'status', status: 429, headers: { 'retry-after': after } };
    };
    server.reply({ fault: limited('1') }, { text: 'after a while' });
    const started = performance.now();
    expect((await run(desk(), {}, q)).body.output_text).toBe('after a while');
    expect(performance.now() - started).toBeGreaterThan(950);
    server.reset();
    server.reply({ fault: limited('3600') });
    expect((await run(desk(), {}, q)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  test('a timeout is repeated only when SERV_PROVIDER_RETRY_ON_TIMEOUT says so', async () => {
    const settings = { SERV_PROVIDER_RETRIES: '1', SERV_PROVIDER_TIMEOUT_SECONDS: '0.3' };
    const never = await open(settings);
    server.reply({ fault: { kind: 'hang' } }, { text: 'second' });
    expect((await run(desk(), {}, never)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
    server.reset();
    const always = await open({ ...settings, SERV_PROVIDER_RETRY_ON_TIMEOUT: 'true' });
    server.reply({ fault: { kind: 'hang' } }, { text: 'second' });
    expect((await run(desk(), {}, always)).body.output_text).toBe('second');
  });
});

test('cancelling a run closes the connection of its model call within a second (6.2)', async () => {
  for (const kind of ['hang', 'hang_mid_stream'] as const) {
    server.reset();
    server.reply({ text: 'a longer text that never ends', fault: { kind } });
    const { body } = await run(desk(), { async_mode: true });
    await expect.poll(() => server.requests.length).toBe(1);
    const cancelled = await p.post(`/v1/runs/${body.run_id}/cancel`, {});
    expect(cancelled.body.status).toBe('cancelled');
    await expect.poll(() => server.abandoned(), { timeout: 1000 }).toBe(1);
    expect((await p.get(`/v1/runs/${body.run_id}`)).body.status).toBe('cancelled');
  }
});

describe('keys', () => {
  const authorization = () => server.requests.at(-1)?.headers['authorization'];

  test('come from the environment by name', async () => {
    const q = await open({
      OPENAI_BASE_URL: server.baseUrl('openai'),
      ANTHROPIC_BASE_URL: server.baseUrl('anthropic'),
      GOOGLE_BASE_URL: server.baseUrl('google'),
    });
    const base_url = server.baseUrl('openai');
    await run(desk(), {}, q);
    expect(authorization()).toBe(`Bearer ${KEY}`);
    await run(desk({ model: { extra: { base_url, api_key_ref: 'MY_MODEL_SECRET' } } }), {}, q);
    expect(authorization()).toBe(`Bearer ${NAMED}`);
    await run(desk({ provider: 'anthropic', format: 'anthropic' }), {}, q);
    expect(server.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
    await run(desk({ provider: 'google', format: 'google' }), {}, q);
    expect(server.requests.at(-1)?.headers['x-goog-api-key']).toBe(KEY);
  });

  test('of the services, and text of the spec, are never sent', async () => {
    const base_url = server.baseUrl('openai');
    const q = await open({ SERV_ADMIN_API_KEY: NAMED });
    await run(desk({ model: { extra: { base_url, api_key_ref: 'SERV_ADMIN_API_KEY' } } }), {}, q);
    expect(server.requests).toEqual([]);
    await run(
      desk({
        provider: 'some-proxy',
        model: { extra: { base_url, api_key: 'typed-into-the-spec' } },
      }),
    );
    expect(authorization()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test('without a key and an address the offline runtime answers and says so (decisions 9)', async () => {
    const spec = desk({ provider: 'mistral', model: { extra: {} } });
    const answer = await run(spec);
    expect(answer.body.output_text).toBe('Final answer: Where is order A-7?');
    expect(answer.body.metadata).toMatchObject({
      runtime_mode: 'bridge',
      model_warning: expect.stringContaining("Model provider 'mistral' has no address"),
    });
    const compiled = await p.post('/v1/specs/compile', { spec });
    expect(compiled.body.diagnostics).toMatchObject([
      { code: 'W_MODEL_OFFLINE', path: 'agent.model' },
    ]);
  });

  test('SERV_REQUIRE_PROVIDER_SECRETS: a missing one fails the run', async () => {
    const q = await open({ SERV_REQUIRE_PROVIDER_SECRETS: 'true' });
    const spec = desk({ provider: 'mistral', model: { extra: {} } });
    const answer = await run(spec, {}, q);
    expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
    expect((await latest(q)).error.type).toBe('ValueError');
  });
});

function lines(name: string): Loose[] {
  const text = readFileSync(path.join(root, '.studio', 'recordings', `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('recordings', () => {
  const recording = (mode: string, name?: string) => ({
    metadata: { recording: { mode, ...(name === undefined ? {} : { name }) } },
  });
  const conversation = () =>
    server.reply(
      { toolCalls: [{ id: 'c1', name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: `A-7 was shipped, mail me at a@b.co with ${ELSE}.`, usage: { input: 40, output: 9 } },
    );

  test('a recorded conversation runs again offline with the same output', async () => {
    conversation();
    const first = await run(desk(TOOLS), recording('record', 'order-a7'));
    expect(first.body.status).toBe('completed');
    expect(lines('order-a7').map((line) => line.format ?? line.request.kind)).toEqual([
      'specwright-recording/1',
      'call_model',
      'call_tool',
      'call_model',
    ]);
    expect(JSON.stringify(lines('order-a7'))).not.toContain(ELSE);
    expect(JSON.stringify(lines('order-a7'))).not.toContain('a@b.co');

    server.reset();
    const away = desk(TOOLS);
    away.agent.model.extra = {};
    const offline = await startTestPlatform({
      specRoot: root,
      handlers: { 'orders.lookup': () => 'never called' },
    });
    opened.push(offline);
    const second = await run(away, recording('replay', 'order-a7'), offline);
    expect(server.requests).toHaveLength(0);
    expect(second.body.output_text).toBe(
      'A-7 was shipped, mail me at [REDACTED_EMAIL] with [REDACTED].',
    );
    expect(second.body.metadata).toMatchObject({
      sdk: 'recording',
      runtime_name: 'react@recording',
    });
    const usage = (await offline.get(`/v1/runs/${second.body.run_id}`)).body.usage;
    expect(usage).toEqual({ input_tokens: 51, output_tokens: 16, total_tokens: 67 });
  });

  test('a conversation goes on in its recording after a person answered, and replays so', async () => {
    const agent = (name: string) => ({ name, model: desk().agent.model });
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'sequential',
        name: 'letter',
        steps: [
          { id: 'draft', kind: 'agent', ref: 'writer' },
          { id: 'check', kind: 'human', ref: 'chief' },
          { id: 'polish', kind: 'agent', ref: 'editor' },
        ],
      },
      components: {
        agents: { writer: agent('writer'), editor: agent('editor') },
        humans: { chief: { description: 'OK?' } },
      },
    };
    const whole = async (choice: Record<string, unknown>): Promise<Loose> => {
      const blocked = await run(spec, choice);
      expect(blocked.body.status).toBe('blocked');
      const id = blocked.body.continuation_id;
      const task = await p.get(`/v1/human-tasks/${id}`);
      const request_id = task.body.request.id;
      const resumed = await p.post(`/v1/human-tasks/${id}/resume`, {
        request_id,
        decision: 'approved',
      });
      return resumed.body;
    };
    server.reply({ text: 'Dear you' }, { text: 'Dearest you' });
    expect((await whole(recording('record', 'letter'))).output_text).toBe('Dearest you');
    expect(lines('letter')).toHaveLength(3);
    server.reset();
    expect((await whole(recording('replay', 'letter'))).output_text).toBe('Dearest you');
    expect(server.requests).toHaveLength(0);
  });

  test('agents that run at once are recorded and replayed whatever their order', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const agents = names.map((name) => [
      name,
      { name, system_prompt: `You are ${name}.`, model: desk().agent.model },
    ]);
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'concurrent',
        name: 'panel',
        participants: names.map((name) => ({ id: name, kind: 'agent', ref: name })),
      },
      components: { agents: Object.fromEntries(agents) },
    };
    server.answerWith(({ body }) => {
      const who = names.findIndex((name) => JSON.stringify(body).includes(`You are ${name}.`));
      return { text: `said ${names[who]}`, delayMs: 40 - 10 * who };
    });
    const first = await run(spec, recording('record', 'panel'));
    expect(first.body.output_text).toBe('said d');
    server.reset();
    const second = await run(spec, recording('replay', 'panel'));
    expect(second.body.output_text).toBe('said d');
    expect(server.requests).toHaveLength(0);
  });

  test('a miss fails the run and names what differs', async () => {
    conversation();
    await run(desk(TOOLS), recording('record', 'changed'));
    const spec = desk(TOOLS);
    spec.agent.system_prompt = 'Answer in two sentences.';
    spec.agent.model.temperature = 0.2;
    const answer = await run(spec, recording('replay', 'changed'));
    expect(answer.status).toBe(400);
    expect(answer.body.detail.message).toContain('recording_miss: ');
    expect(answer.body.detail.message).toContain('it differs in system_prompt, temperature');
    const missing = await run(desk(TOOLS), recording('replay', 'nothing'));
    expect(missing.body.detail.message).toContain("there is no recording 'nothing'");
  });

  test('recorded failures are repeated too; each call is used once', async () => {
    server.reply({ fault: { kind: 'status', status: 500 } });
    await run(desk(), recording('record', 'failing'));
    expect(lines('failing')).toHaveLength(2);
    const again = await run(desk(), recording('replay', 'failing'));
    expect(again.status).toBe(500);
    expect((await latest(p)).error.message).toContain('model_server_failed');
  });

  test('names stay in the folder; a choice that cannot be read is 400', async () => {
    for (const choice of [
      { mode: 'record', name: '../../outside' },
      { mode: 'replay' },
      { mode: 'film', name: 'x' },
    ]) {
      const answer = await run(desk(), { metadata: { recording: choice } });
      expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
    }
    expect(server.requests).toHaveLength(0);
    expect((await run(desk(), { metadata: { recording: 'mine' } })).status).toBe(200);
  });

  test('SERV_RECORDING sets the choice of runs that say nothing', async () => {
    const q = await open({ SERV_RECORDING: 'record' });
    const answer = await run(desk(), {}, q);
    expect(lines(answer.body.run_id)).toHaveLength(2);
    const off = await run(desk(), recording('off'), q);
    expect(() => lines(off.body.run_id)).toThrow('ENOENT');
    await expect(open({ SERV_RECORDING: 'replay' })).rejects.toThrow('SERV_RECORDING must be');
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('no key is in any stored byte, log line or answer', async () => {
  server.answerWith(() => ({ fault: KEY_FAULT }));
  const base_url = server.baseUrl('openai');
  await run(desk({ model: { extra: { base_url, api_key_ref: 'MY_MODEL_SECRET' } } }));
  writeFileSync(path.join(root, 'marker'), '');
  const folders = [root, ...opened.map(({ file }) => path.dirname(file))];
  for (const file of folders.flatMap(filesUnder)) {
    const bytes = readFileSync(file);
    expect(bytes.includes(KEY), file).toBe(false);
    expect(bytes.includes(NAMED), file).toBe(false);
  }
  for (const platform of opened) {
    const logs = JSON.stringify(platform.logs);
    expect(logs).not.toContain(KEY);
    expect(logs).not.toContain(NAMED);
  }
});
