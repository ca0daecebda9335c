import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';

// One spec may end its own run and nothing else: real processes, real stores.

const CHILD = fileURLToPath(new URL('../support/limits-process.ts', import.meta.url));
const HEADERS = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'limits-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Service {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  call(method: string, route: string, body?: unknown): Promise<{ status: number; body: Loose }>;
  /** Polls the run until it is over; undefined when the service ends first. */
  endOf(runId: string): Promise<Loose>;
}

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const words = [CHILD, path.join(folder, 'platform.db'), JSON.stringify(settings), folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const ended = once(child, 'exit');
  const [chunk] = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['ended'])]);
  const url = String(chunk).trim();
  expect(url).toMatch(/^http/);
  const call: Service['call'] = async (method, route, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}${route}`, { method, headers: HEADERS, ...sent });
    return { status: response.status, body: await response.json() };
  };
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    ended,
    call,
    async endOf(runId) {
      for (;;) {
        const found = await call('GET', `/v1/runs/${runId}`).catch(() => undefined);
        if (found !== undefined && !['queued', 'running'].includes(found.body.status)) {
          return found.body;
        }
        if (isOver()) return undefined;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

const agents = { a: { name: 'a' }, b: { name: 'b' } };
const both = ['a', 'b'].map((id) => ({ id, kind: 'agent', ref: id }));

function specOf(workflow: unknown, components: unknown = { agents }, more: object = {}) {
  return { version: 'v1', agent: { name: 'root' }, workflow, components, ...more };
}

/** Workflows in workflows: so many participants each, so deep. */
function nested(depth: number, width: number) {
  const list = (kind: string, ref: string) =>
    Array.from({ length: width }, (_, i) => ({ id: `p${i}`, kind, ref }));
  const names = Array.from({ length: depth }, (_, i) => `w${i}`);
  const workflows = Object.fromEntries(
    names.map((name, i) => {
      const next = names[i + 1];
      const participants = next === undefined ? list('agent', 'a') : list('workflow', next);
      return [name, { type: 'concurrent', participants }];
    }),
  );
  const steps = [{ id: 's', kind: 'workflow', ref: 'w0' }];
  return specOf({ type: 'sequential', steps }, { agents, workflows });
}

const doubling = specOf(
  {
    type: 'graph',
    start: 'n',
    max_steps: 1_000_000_000,
    nodes: { n: { id: 'n', kind: 'function', ref: 'f' } },
    edges: [{ from: 'n', to: 'n' }],
  },
  { functions: { f: { implementation: 'grow.double' } } },
);

const manyTools = specOf(
  {
    type: 'concurrent',
    participants: Array.from({ length: 900 }, (_, i) => ({ id: `p${i}`, kind: 'agent', ref: 'a' })),
  },
  {
    agents: {
      a: {
        name: 'a',
        strategy: { type: 'react' },
        model: {
          provider: 'openai-compatible',
          name: 'm',
          extra: { base_url: 'http://127.0.0.1:9/v1' },
        },
        tools: { include: ['t'] },
      },
    },
  },
  { tools: { t: { description: 'long '.repeat(25_000), implementation: 'grow.double' } } },
);

const aliases = `version: v1
metadata:
  long: &a "${'x'.repeat(60_000)}"
  many: [${Array(6000).fill('*a').join(', ')}]
agent: {name: a}
`;

const KILLERS: readonly (readonly [name: string, spec: object | string, error: string])[] = [
  [
    'a thousand million rounds',
    specOf({ type: 'group-chat', participants: both, rounds: 1_000_000_000 }),
    'run_limit_exceeded',
  ],
  ['texts that double from step to step', doubling, 'run_limit_exceeded'],
  ['ten participants in ten, eight deep', nested(8, 10), 'run_limit_exceeded'],
  ['900 agents at once with a tool of 125,000 characters', manyTools, 'run_limit_exceeded'],
  ['aliases that make 360 MB of 96 KB', aliases, 'spec_invalid'],
];

test('five specs that would end the services end their own run, at once and queued; the next start is alive', async () => {
  const settings = { SERV_RUN_MAX_TEXT_CHARS: '4194304' };
  const service = await start(settings);
  for (const [name, spec, error] of KILLERS) {
    writeFileSync(path.join(folder, 'killer.yaml'), typeof spec === 'string' ? spec : '');
    const asked = typeof spec === 'string' ? { spec_path: 'killer.yaml' } : { spec };
    const atOnce = await service.call('POST', '/v1/runs', { ...asked, input: 'hello '.repeat(99) });
    expect([name, atOnce.status, atOnce.body.detail.error]).toEqual([name, 400, error]);
    const queued = await service.call('POST', '/v1/runs', {
      ...asked,
      input: 'hello '.repeat(99),
      async_mode: true,
    });
    if (queued.status === 202) {
      const end = await service.endOf(queued.body.run_id);
      expect([name, end?.status]).toEqual([name, 'failed']);
    } else expect([name, queued.body.detail.error]).toEqual([name, error]);
    expect((await service.call('GET', '/v1/livez')).status).toBe(200);
  }
  service.child.kill('SIGKILL');
  await service.ended;
  const next = await start(settings);
  expect((await next.call('GET', '/v1/readyz')).status).toBe(200);
  const small = { spec: { version: 'v1', agent: { name: 'a' } }, input: 'x' };
  expect((await next.call('POST', '/v1/runs', small)).body.status).toBe('completed');
}, 180_000);

test('a huge number of rounds is valid and compiles at once; nothing of it is laid out (decision 7)', async () => {
  const service = await start();
  const spec = specOf({
    type: 'group-chat',
    participants: both,
    rounds: Number.MAX_SAFE_INTEGER,
  });
  for (const word of ['validate', 'compile']) {
    const { status, body } = await service.call('POST', `/v1/specs/${word}`, { spec });
    expect([word, status, body.ok ?? body.valid]).toEqual([word, 200, true]);
  }
}, 60_000);

/** A step of the run that is repeated round a graph which ends at its step cap each time. */
function retried(guardrails: object): object {
  const nodes = { n: { id: 'n', kind: 'agent', ref: 'a' } };
  const circle = {
    type: 'graph',
    start: 'n',
    max_steps: 3,
    nodes,
    edges: [{ from: 'n', to: 'n' }],
  };
  const steps = [{ id: 's', kind: 'workflow', ref: 'g', max_retries: 1_000_000_000 }];
  const components = { agents: { a: { name: 'a', guardrails } }, workflows: { g: circle } };
  return specOf({ type: 'sequential', steps }, components);
}

const slowLook = { id: 'g', type: 'regex', config: { patterns: ['(?:a|aa)*a{90}b'] } };

test.each([
  ['nothing else', {}],
  ['a guardrail that looks long', { input: [slowLook] }],
])(
  'a thousand million retries round a nested graph with %s end by the limits of a run',
  async (_what, guardrails) => {
    const service = await start({ SERV_RUN_MAX_PARTS: '100000' });
    const { status, body } = await service.call('POST', '/v1/runs', {
      spec: retried(guardrails),
      input: 'a'.repeat(200),
    });
    expect([status, body.detail.error]).toEqual([400, 'run_limit_exceeded']);
    expect((await service.call('GET', '/v1/livez')).status).toBe(200);
  },
  120_000,
);

/** With the limits of a run lifted, what is left is the memory of the thread. */
const LIFTED = {
  SERV_EXECUTION_MEMORY_MB: '96',
  SERV_RUN_MAX_TEXT_CHARS: '1000000000000',
  SERV_RUN_MAX_PARTS: '1000000000000',
};

test('a run that uses up the memory of its thread or process fails and is not taken up again', async () => {
  let service = await start(LIFTED);
  const spec = specOf(
    { type: 'sequential', steps: [{ id: 's', kind: 'workflow', ref: 'w' }] },
    { agents, workflows: { w: { type: 'group-chat', participants: both, rounds: 1_000_000_000 } } },
  );
  const { body } = await service.call('POST', '/v1/runs', { spec, input: 'x', async_mode: true });
  const end = await service.endOf(body.run_id);
  if (end === undefined) service = await start(LIFTED);
  const run = end ?? (await service.endOf(body.run_id));
  expect(run).toMatchObject({ status: 'failed', error: { type: 'RunStopped' } });
  expect(run.error.message).toMatch(/memory|ended the whole service/);
  const ready = await service.call('GET', '/v1/readyz');
  expect(JSON.stringify(ready.body)).toContain('"crashed_runs":1');
  expect((await service.call('GET', '/v1/livez')).status).toBe(200);
}, 180_000);

test('a kill while a run is computed is no fault of the run: it goes on; marks of the dead are removed', async () => {
  const service = await start({ SERV_RUN_MAX_TEXT_CHARS: '16777216' });
  const spec = specOf({ type: 'group-chat', participants: both, rounds: 400 });
  const { body } = await service.call('POST', '/v1/runs', { spec, input: 'x', async_mode: true });
  await new Promise((resolve) => setTimeout(resolve, 400));
  service.child.kill('SIGKILL');
  await service.ended;
  const next = await start({ SERV_RUN_MAX_TEXT_CHARS: '1000000000' });
  expect(await next.endOf(body.run_id)).toMatchObject({ status: 'completed' });
  expect(marksIn(folder)).toHaveLength(1);
}, 120_000);

function marksIn(place: string): string[] {
  return readdirSync(place).filter((name) => name.includes('-computing.'));
}

const waiting = specOf(
  { type: 'sequential', steps: [{ id: 's', kind: 'function', ref: 'f' }] },
  { functions: { f: { implementation: 'grow.wait' } } },
);

/** A service that was killed, and the mark that it would have left had it computed the run just then. */
async function killComputing(service: Service, runId: string): Promise<string> {
  for (;;) {
    const { body } = await service.call('GET', `/v1/runs/${runId}`);
    if (body.status === 'running') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  service.child.kill('SIGKILL');
  await service.ended;
  const [mark = ''] = marksIn(folder);
  writeFileSync(path.join(folder, mark), runId.padEnd(64));
  return mark;
}

test('a service that was killed twice at one place of a run leaves that run to a person', async () => {
  const first = await start();
  const { body } = await first.call('POST', '/v1/runs', {
    spec: waiting,
    input: 'x',
    async_mode: true,
  });
  await killComputing(first, body.run_id);
  const second = await start();
  await killComputing(second, body.run_id);
  const third = await start();
  const run = await third.endOf(body.run_id);
  expect(run).toMatchObject({ status: 'failed', error: { type: 'RunStopped' } });
  expect(run.error.message).toContain('killed twice');
}, 60_000);

test('a run that a service ended itself of is not taken up again even once', async () => {
  const first = await start();
  const { body } = await first.call('POST', '/v1/runs', {
    spec: waiting,
    input: 'x',
    async_mode: true,
  });
  const mark = await killComputing(first, body.run_id);
  const [, owner] = mark.split('-computing.');
  writeFileSync(path.join(folder, `platform.db-fatal.${owner}.json`), '{}');
  const second = await start();
  const run = await second.endOf(body.run_id);
  expect(run).toMatchObject({ status: 'failed', error: { type: 'RunStopped' } });
  expect(run.error.message).toContain('ended the whole service');
  expect(readdirSync(folder).filter((name) => name.includes('-fatal.'))).toEqual([]);
}, 60_000);
