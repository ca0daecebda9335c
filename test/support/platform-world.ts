// The world that the platform's wire tests share.
import { afterAll, beforeAll, expect } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from './platform.ts';
import { humanSpec } from './specs.ts';

/** Three steps of which the second is a function of `handlers`. */
export function functionSpec(implementation: string, step: Record<string, unknown> = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: [
        { id: 'first', kind: 'agent', ref: 'writer' },
        { id: 'second', kind: 'function', ref: 'work', ...step },
        { id: 'third', kind: 'agent', ref: 'writer' },
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      functions: { work: { implementation } },
    },
  };
}

/** What `work.wait` waits for, by the input of its run. */
export const gates = new Map<string, { open(): void; opened: Promise<void> }>();
export function gate(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(name, { open: resolve, opened: promise });
  return { open: resolve };
}
/** Whether `work.flaky` fails, and the inputs that it saw. */
export const flaky: { fails: boolean; readonly seen: string[] } = { fails: true, seen: [] };
export const handlers = {
  'work.wait': async ([input]: readonly unknown[]) => {
    await gates.get(String(input).replaceAll('Final answer: ', ''))?.opened;
    return `waited: ${String(input)}`;
  },
  'work.fails': () => {
    throw new Error('backend offline, password=hunter2');
  },
  'work.flaky': ([input]: readonly unknown[]) => {
    flaky.seen.push(String(input));
    if (flaky.fails) throw new Error('not yet');
    return `done: ${String(input)}`;
  },
};

/** The platform that `sharePlatform` started. */
export let p: TestPlatform;

/** One platform for all tests of the file that calls this. */
export function sharePlatform(): void {
  beforeAll(async () => {
    p = await startTestPlatform({ handlers, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
  });
  afterAll(async () => {
    await p.stop();
  });
}

export async function startBlocked(spec: unknown = humanSpec(), input = 'hello'): Promise<Loose> {
  const run = await p.post('/v1/runs', { input, spec });
  expect(run.status).toBe(200);
  expect(run.body.status).toBe('blocked');
  return run.body;
}

export async function resume(run: Loose, body: Record<string, unknown>, options = {}) {
  const task = await p.get(`/v1/human-tasks/${run.continuation_id}`);
  return p.post(
    `/v1/human-tasks/${run.continuation_id}/resume`,
    { request_id: task.body?.request?.id ?? 'x', ...body },
    options,
  );
}
