import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loose } from './platform.ts';

const SCRIPT = fileURLToPath(new URL('./fault-process.ts', import.meta.url));
const STEPS = ['one', 'two', 'three'];

const SPEC = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'pipe',
    steps: STEPS.map((id) => ({ id, kind: 'function', ref: 'note' })),
  },
  components: { functions: { note: { implementation: 'work.note' } } },
};

/** What a loop of kills found. */
export interface FaultReport {
  kills: number;
  acknowledged: number;
  /** Acknowledged runs that the store no longer knows, or that did not complete. */
  lost: string[];
  /** Keys that made more than one run. */
  doubled: string[];
  /** Effects that were made more often than the trace says. */
  unexplained: string[];
  /** Runs whose checkpoints or trace hold something twice or leave a gap. */
  broken: string[];
  repeated: number;
}

export function newReport(): FaultReport {
  return {
    ...{ kills: 0, acknowledged: 0, repeated: 0 },
    ...{ lost: [], doubled: [], unexplained: [], broken: [] },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Service {
  readonly url: string;
  readonly child: ChildProcess;
}

async function start(folder: string): Promise<Service> {
  const file = path.join(folder, 'platform.db');
  const child = spawn(process.execPath, [SCRIPT, file, path.join(folder, 'effects')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  const ended = once(child, 'exit').then(() => {
    throw new Error('the service ended before it answered');
  });
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return { url: line.toString().trim(), child };
}

async function call(url: string, method: string, route: string, body?: unknown, key?: string) {
  const response = await fetch(`${url}${route}`, {
    method,
    headers: {
      authorization: 'Bearer admin-key',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: Loose = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

interface FeedOptions {
  readonly prefix?: string;
  readonly isOver?: () => boolean;
  readonly everyMs?: number;
}

/** Sends runs one after another until the service dies; a key that got no answer is sent again later. */
export async function feed(
  url: string,
  keys: string[],
  known: Map<string, string>,
  { prefix = 'k', isOver = () => false, everyMs = 10 }: FeedOptions = {},
): Promise<void> {
  try {
    while (!isOver()) {
      const key = keys.find((item) => !known.has(item)) ?? `${prefix}${keys.length}`;
      if (!keys.includes(key)) keys.push(key);
      const body = { input: key, spec: SPEC, async_mode: true, session_id: key };
      await pause(everyMs);
      known.set(key, (await call(url, 'POST', '/v1/runs', body, key)).run_id);
    }
  } catch {
    // Killed in the middle of a call: the key stays unanswered.
  }
}

export async function settle(url: string, ids: readonly string[]): Promise<Map<string, Loose>> {
  const ended = new Map<string, Loose>();
  const until = Date.now() + 60_000;
  for (const id of ids) {
    for (;;) {
      const run = await call(url, 'GET', `/v1/runs/${id}`).catch(() => undefined);
      if (run === undefined) break;
      ended.set(id, run);
      if (!['queued', 'running'].includes(run.status) || Date.now() > until) break;
      await pause(20);
    }
  }
  return ended;
}

/** How often effects of a run may have been made: once, and once more for each repeat in the trace. */
function repeatsOf(events: readonly Loose[]): number {
  return events
    .filter((event) => event.type === 'run_recovered')
    .reduce((sum, event) => sum + event.metadata.repeated.length, 0);
}

/** Compares what was acknowledged with what is stored and what was made. */
export async function compare(
  url: string,
  known: Map<string, string>,
  report: FaultReport,
  made: string[],
) {
  const ended = await settle(url, [...known.values()]);
  for (const [key, id] of known) {
    if (ended.get(id)?.status !== 'completed' || ended.get(id)?.output_text !== `${key}...`) {
      report.lost.push(`${key} ${id} ${ended.get(id)?.status}`);
      continue;
    }
    const listed = await call(url, 'GET', `/v1/runs?session_id=${key}`);
    if (listed.total !== 1) report.doubled.push(key);
    const { events } = await call(url, 'GET', `/v1/runs/${id}/trace?limit=1000`);
    const { checkpoints } = await call(url, 'GET', `/v1/runs/${id}/checkpoints`);
    const done = checkpoints.filter((item: Loose) => item.type === 'step_completed');
    const ids = new Set(events.map((event: Loose) => event.event_id));
    const gap = checkpoints.some((item: Loose, index: number) => item.sequence !== index + 1);
    if (gap || ids.size !== events.length || done.length !== STEPS.length) report.broken.push(id);
    const mine = made.filter((line) => line.replaceAll('.', '') === key).length;
    const repeats = repeatsOf(events);
    report.repeated += mine - STEPS.length;
    if (mine > STEPS.length + repeats) report.unexplained.push(`${key}: ${mine} of ${repeats}`);
  }
}

/** What steps have noted in a folder, one line each. */
export function effectsIn(folder: string): string[] {
  const effects = path.join(folder, 'effects');
  return existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : [];
}

/** Runs that are sent to a service one after another, in spite of what happens to it. */
export interface Feeding {
  /** Keys that were acknowledged, with the ids of their runs. */
  readonly known: ReadonlyMap<string, string>;
  stop(): Promise<void>;
  /** Sends no more, lets all runs end and compares them with the effects that a folder holds. */
  finish(folder: string): Promise<FaultReport>;
}

export function startFeeding(url: string, everyMs: number): Feeding {
  const known = new Map<string, string>();
  let over = false;
  const sending = (async () => {
    const keys: string[] = [];
    while (!over) {
      await feed(url, keys, known, { isOver: () => over, everyMs });
      await pause(20);
    }
  })();
  const stop = (): Promise<void> => {
    over = true;
    return sending;
  };
  return {
    known,
    stop,
    async finish(folder) {
      await stop();
      const report = newReport();
      report.acknowledged = known.size;
      await settle(url, [...known.values()]);
      await compare(url, known, report, effectsIn(folder));
      return report;
    },
  };
}

/**
 * Starts a service over one store again and again and kills it at random moments of its work, while
 * runs are sent; then lets everything end and compares.
 */
export async function faultLoop(folder: string, kills: number): Promise<FaultReport> {
  const keys: string[] = [];
  const known = new Map<string, string>();
  const report = newReport();
  for (; report.kills < kills; report.kills += 1) {
    const { url, child } = await start(folder);
    const ended = once(child, 'exit');
    const fed = feed(url, keys, known);
    const before = known.size;
    while (known.size === before && child.exitCode === null) await pause(2);
    await pause(Math.random() * 500);
    child.kill('SIGKILL');
    await Promise.all([ended, fed]);
  }
  report.acknowledged = known.size;
  const last = await start(folder);
  try {
    await settle(last.url, [...known.values()]);
    await compare(last.url, known, report, effectsIn(folder));
  } finally {
    last.child.kill('SIGKILL');
  }
  return report;
}

/** Two services over one store at once: how often each run's effects were made, and who had to try again. */
export async function twoServices(folder: string, runs: number) {
  const services = [await start(folder), await start(folder)];
  try {
    const ids = await Promise.all(
      Array.from({ length: runs }, async (_, index): Promise<string> => {
        const url = services[index % 2]?.url ?? '';
        const body = { input: `k${index}`, spec: SPEC, async_mode: true };
        return (await call(url, 'POST', '/v1/runs', body, `k${index}`)).run_id;
      }),
    );
    // The same keys at the other service are the same runs.
    const again = await Promise.all(
      ids.map(async (_, index) => {
        const url = services[(index + 1) % 2]?.url ?? '';
        const body = { input: `k${index}`, spec: SPEC, async_mode: true };
        return (await call(url, 'POST', '/v1/runs', body, `k${index}`)).run_id;
      }),
    );
    const ended = await settle(services[0]?.url ?? '', ids);
    const made = readFileSync(path.join(folder, 'effects'), 'utf8').trim().split('\n');
    return { ids, again, statuses: [...ended.values()].map((run) => run.status), made };
  } finally {
    for (const { child } of services) child.kill('SIGKILL');
  }
}
