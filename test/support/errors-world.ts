// The world in which each code of contract/platform.md 4.1 can be reached.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type Answer, type Loose, startTestPlatform, type TestPlatform } from './platform.ts';
import { openStored } from './stored.ts';

export function workflow(kind: 'human' | 'function', over: Loose = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: { type: 'sequential', name: 'w', steps: [{ id: 's', kind, ref: 'it' }] },
    components: {
      functions: { it: { implementation: 'work.it' } },
      humans: { it: { description: 'Ok?', timeout_seconds: 60, ...over } },
    },
  };
}

export let folder: string;
export let models: ModelServer;
export let p: TestPlatform;
export let tight: TestPlatform;
/** Whether `work.it` fails. */
export const work = { fails: false };
let release = (): void => undefined;
export let released = Promise.resolve();
export const run = (spec: unknown, over: Loose = {}, options = {}) =>
  p.post('/v1/runs', { input: 'x', spec, ...over }, options);

export async function blocked(over: Loose = {}): Promise<Loose> {
  return (await run(workflow('human', over))).body;
}

export async function resume(of: Loose, over: Loose = {}, by = p): Promise<Answer> {
  const at = `/v1/human-tasks/${of.continuation_id}`;
  const { body } = await by.get(at);
  return by.post(`${at}/resume`, { request_id: body.request.id, decision: 'approved', ...over });
}

/** Does something while another service on the same store holds a lock. */
export async function whileLocked(name: string, act: () => Promise<Answer>): Promise<Answer> {
  const db = await openStored(p.file);
  const now = Date.now() / 1000;
  db.prepare(
    'INSERT INTO locks (name, owner, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  ).run(name, 'somebody-else', now + 100, now, now);
  try {
    return await act();
  } finally {
    db.prepare('DELETE FROM locks WHERE name = ?').run(name);
    await db.close();
  }
}

/** `work.it` does not end before `letGo`. */
export function hold(): void {
  ({ promise: released, resolve: release } = Promise.withResolvers<void>());
}

export function letGo(): void {
  release();
}

/** The answer to a synchronous run while another one takes its time. */
export async function oneTooMany(env: Readonly<Record<string, string>>): Promise<Answer> {
  hold();
  const q = await startTestPlatform({
    env,
    thread: true,
    handlers: { 'work.it': () => released },
  });
  try {
    const body = { input: 'x', spec: workflow('function') };
    const first = q.post('/v1/runs', body);
    await vi.waitUntil(async () => (await q.get('/v1/runs?status=running')).body.total === 1, {
      timeout: 20_000,
    });
    const answer = await q.post('/v1/runs', body);
    letGo();
    await first;
    return answer;
  } finally {
    letGo();
    await q.stop();
  }
}

export interface Case {
  readonly code: string;
  readonly what: string;
  act(): Promise<Answer>;
  /** Fields beside error and message, exactly. */
  readonly fields?: Loose;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Two platforms for all tests of the file that calls this; the second one is narrow. */
export function shareErrorPlatforms(): void {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'errors-'));
    models = await startModelServer();
    const handlers = {
      'work.it': async () => {
        await released;
        if (work.fails) throw new Error('/srv/app/x.py broke');
        return 'done';
      },
    };
    const env = { SERV_SWEEP_INTERVAL_SECONDS: '0' };
    p = await startTestPlatform({ env, handlers, file: path.join(folder, 'a.db') });
    tight = await startTestPlatform({
      env: {
        ...env,
        SERV_API_KEYS: 'a:admin-key:admin;b:other-key:admin',
        SERV_RATE_LIMIT_PER_MINUTE: '1',
        SERV_HEALTH_PROVIDERS: 'nobody',
      },
    });
  });
  afterAll(async () => {
    release();
    await p.stop();
    await tight.stop();
    await models.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A workflow `dear` whose one step asks a model. */
export function dearWorkflow(): object {
  const extra = { base_url: models.baseUrl('openai') };
  const writer = { name: 'w', model: { provider: 'openai-compatible', name: 'm', extra } };
  const steps = [{ id: 's', kind: 'agent', ref: 'w' }];
  return {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: { type: 'sequential', name: 'dear', steps },
    components: { agents: { w: writer } },
  };
}
