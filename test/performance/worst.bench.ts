import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { throwWorst } from '../support/worst-throw.ts';
import { type Figure, toFigure } from './harness.ts';
import { type Measured, worstFlowFigures } from './worst-flows.ts';

const SERVICE = path.resolve(import.meta.dirname, '../support/worst-service.ts');
/** No input may hold the event loop of a service for longer. */
const BLOCKED_MS = 50;
/** Other programs of the machine hold a loop up as well, but not each time. */
const ROUNDS = 3;

interface Service {
  readonly url: string;
  /**
   * Since the last question: the longest time that the loop stood still, the most that its thread
   * computed in one turn, and the peak of memory in MiB.
   */
  measured(): Promise<Measured>;
  stop(): void;
}

function numberOf(message: unknown, name: string): number {
  const value: unknown = Object(message)[name];
  return typeof value === 'number' ? value : Number.NaN;
}

/** The next message; never of a service that ended. */
async function next(child: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(() => {
        throw new Error('the service ended');
      }),
    ]);
  } finally {
    done.abort();
  }
}

async function start(...words: string[]): Promise<Service> {
  const child = fork(SERVICE, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await next(child);
  return {
    url: String(Object(ready).url),
    async measured() {
      child.send('measure');
      const message = await next(child);
      const [blocked, computed] = [numberOf(message, 'blocked'), numberOf(message, 'computed')];
      return { blocked, computed, peak: numberOf(message, 'peak') };
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function size(bytes: number): string {
  return bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`;
}

/**
 * The worst input found of each kind against the real services, each in a process of its own: the
 * answer, how long the event loop stood still meanwhile, and how much of that its own thread computed:
 * on a machine that others load, a loop also stands still because nobody runs it.
 */
export async function worstBench(): Promise<readonly Figure[]> {
  const platform = await start('platform');
  const [studio, dashboard, gateway] = await Promise.all(
    ['studio', 'dashboard', 'gateway'].map((kind) => start(kind, platform.url)),
  );
  if (!(studio && dashboard && gateway)) throw new TypeError('three services started');
  const services = [platform, studio, dashboard, gateway];
  const samples = new Map<string, number[]>();
  const computed = new Map<string, number>();
  const peaks: number[] = [];
  const flows: Figure[] = [];
  try {
    const targets = {
      platform: platform.url,
      studio: studio.url,
      dashboard: dashboard.url,
      gateway: gateway.url,
    };
    const measureAll = () => Promise.all(services.map((service) => service.measured()));
    const told: Parameters<typeof throwWorst>[1] = async ({ what, bytes, status, code }) => {
      const all = await measureAll();
      peaks.push(Math.max(...all.map((one) => one.peak)));
      const answer = code === '' ? String(status) : `${status} ${code}`;
      const name = `${what} (${size(bytes)}) → ${answer}`;
      const blocked = Math.max(...all.map((one) => one.blocked));
      samples.set(name, [...(samples.get(name) ?? []), blocked]);
      const most = Math.max(computed.get(name) ?? 0, ...all.map((one) => one.computed));
      computed.set(name, most);
    };
    // What a process does once, such as loading and compiling, is no input's doing.
    await throwWorst(
      targets,
      async () => undefined,
      /small: agents|300 guard|dense|\[0,0|a run of 100|edits of 50,000|load.*agents/,
    );
    await measureAll();
    for (let round = 0; round < ROUNDS; round += 1) await throwWorst(targets, told);
    flows.push(...(await worstFlowFigures(platform, BLOCKED_MS)));
  } finally {
    for (const service of services.reverse()) service.stop();
  }
  const budget = { atMost: BLOCKED_MS };
  const figures = [...samples].map(([what, blocked]) => {
    const name = `${what}, computed ${Math.round(computed.get(what) ?? 0)} ms`;
    return toFigure('worst', { name, unit: 'ms', budget }, blocked);
  });
  const memory = { name: 'greatest memory of a service meanwhile', unit: 'MiB' };
  return [...figures, toFigure('worst', memory, [Math.max(...peaks)]), ...flows];
}
