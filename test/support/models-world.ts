// A platform whose models are a server on loopback.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ModelFault, type ModelServer, startModelServer } from './model-server.ts';
import type { WireFormat } from './model-wire.ts';
import { type Answer, type Loose, startTestPlatform, type TestPlatform } from './platform.ts';

export const KEY = 'sk-THISKEYMUSTNOTLEAK0123456789';
/** A secret that a model says; the run's own row keeps its text (contract/platform.md 9). */
export const ELSE = 'sk-SOMEBODYELSES0123456789';
export const NAMED = 'plainlookingvaluethatmuststaysecret42';
const ENV = {
  OPENAI_API_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
  GOOGLE_API_KEY: KEY,
  MY_MODEL_SECRET: NAMED,
  SERV_SPEC_SECRETS: 'MY_MODEL_SECRET',
};
/** A refusal that repeats the key. */
export const KEY_FAULT: ModelFault = {
  kind: 'status',
  status: 401,
  code: 'invalid_api_key',
  message: `Incorrect key ${KEY} for Where is order`,
};

export const PROVIDERS: [string, WireFormat][] = [
  ['openai', 'openai'],
  ['openai-compatible', 'openai'],
  ['ollama', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['some-proxy', 'openai'],
];

export let server: ModelServer;
export let root: string;
export let p: TestPlatform;
export const opened: TestPlatform[] = [];

export async function open(env: Record<string, string> = {}, file?: string): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    ...(file === undefined ? {} : { file }),
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

interface Desk {
  readonly provider?: string;
  readonly format?: WireFormat;
  readonly model?: Record<string, unknown>;
  readonly agent?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
}

export function desk({
  provider = 'openai',
  format = 'openai',
  model,
  agent,
  more,
}: Desk = {}): Loose {
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

export const TOOLS = {
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

export function run(spec: Loose, more: Record<string, unknown> = {}, on = p): Promise<Answer> {
  return on.post('/v1/runs', { input: 'Where is order A-7?', spec, ...more });
}

export async function latest(on: TestPlatform): Promise<Loose> {
  const list = await on.get('/v1/runs?limit=1&sort_by=created_at&sort_order=desc');
  return (await on.get(`/v1/runs/${list.body.runs[0].run_id}`)).body;
}

/** One platform and one provider for all tests of the file that calls this. */
export function shareModels(): void {
  beforeAll(async () => {
    server = await startModelServer();
    root = mkdtempSync(path.join(tmpdir(), 'models-'));
    p = await open();
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    for (const platform of opened.splice(0)) await platform.stop();
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });
}
