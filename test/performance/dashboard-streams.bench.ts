import { readdirSync, readFileSync } from 'node:fs';
import { get as request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Headless } from '../e2e/support/headless.ts';
import { readSse, type SseReader } from '../support/sse-reader.ts';
import { residentMib } from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';
import { callers, get, post } from './platform-http.ts';
import { gatesOf } from './platform-specs.ts';
import { tracedRun } from './traced-run.ts';

const SUITE = 'dashboard';
const STREAMS = 200;
/** Without sign-in the cap is that of a window; these streams are of one. */
export const STREAM_SETTINGS = { DASH_SSE_MAX_STREAMS_PER_OPERATOR: String(STREAMS) };
const EVENTS_PER_SECOND = 1000;
const LOAD_MS = 10_000;
const AGENTS = 8;
/** Of the agents, of their group and of the person who is asked next. */
const EVENTS = 2 * AGENTS + 2;
const STALLED_MS = 10_000;
const IDLE_MS = 10_000;

async function startedRun({ urls }: Headless, spec: object): Promise<string> {
  const body = { spec, input: 'hello' };
  return JSON.parse(await post(`${urls.platform}/v1/runs`, body)).run_id;
}

/** Answers whom a run waits for; when that was sent, and it is stored now. */
async function decide({ urls }: Headless, id: string): Promise<number> {
  const run = JSON.parse(await get(`${urls.platform}/v1/runs/${id}`));
  const task = `${urls.platform}/v1/human-tasks/${run.continuation_id}`;
  const { request: asked } = JSON.parse(await get(task));
  const from = performance.now();
  await post(`${task}/resume`, { request_id: asked.id, decision: 'approved' });
  return from;
}

/** A run that waits for a person, and who reads its stream. */
class Watched {
  readonly id: string;
  readonly #headless: Headless;
  readonly #reader: SseReader;
  #seen = 0;

  constructor(headless: Headless, id: string, reader: SseReader) {
    this.#headless = headless;
    this.id = id;
    this.#reader = reader;
  }

  static async open(headless: Headless, spec: object): Promise<Watched> {
    const id = await startedRun(headless, spec);
    const url = `${headless.urls.dashboard}/api/runs/${id}/trace/stream?after=0&window_id=bench`;
    const watched = new Watched(headless, id, await readSse(url));
    await watched.#asked();
    return watched;
  }

  /**
   * Decides once: milliseconds from the moment before the platform is told to that at which each
   * event of it was read. The run itself and its commit are part of them.
   */
  async decide(): Promise<number[]> {
    const begun = this.#seen;
    const from = await decide(this.#headless, this.id);
    await this.#asked();
    return this.#reader.frames
      .slice(begun, this.#seen)
      .filter(({ event }) => event === 'trace')
      .map(({ at }) => at - from);
  }

  /** Waits until the next person is asked. */
  async #asked(): Promise<void> {
    const { frames } = this.#reader;
    const found = await this.#reader.until(
      (frame) =>
        frame.event === 'trace' &&
        frame.data.type === 'human_intervention_requested' &&
        frames.indexOf(frame) >= this.#seen,
    );
    this.#seen = frames.indexOf(found) + 1;
  }

  leave(): void {
    this.#reader.leave();
  }
}

/** One stream at a time: decisions whose events are few. */
async function oneStream(headless: Headless): Promise<Figure> {
  const samples: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const watched = await Watched.open(headless, gatesOf(16, 1));
    for (let turn = 0; turn < 15; turn += 1) {
      const late = await watched.decide();
      if (round > 1) samples.push(...late);
    }
    watched.leave();
  }
  return toFigure(
    SUITE,
    {
      name: 'stream: an event is read, from the call that makes it',
      unit: 'ms',
      budget: { atMost: 20, of: 'p95' },
    },
    samples,
  );
}

/** As many decisions without streams: what they leave in memory is not that of streams. */
async function runsAlone(headless: Headless, spec: object, turns: number): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < STREAMS; i += 1) ids.push(await startedRun(headless, spec));
  let turn = 0;
  await callers(4, async () => {
    const id = ids[turn % STREAMS];
    turn += 1;
    if (turn > turns || id === undefined) return false;
    await decide(headless, id);
    return true;
  });
}

/** Many streams, a thousand events a second in all. */
async function manyStreams(headless: Headless): Promise<Figure[]> {
  const every = (1000 * EVENTS) / EVENTS_PER_SECOND;
  const turns = Math.floor(LOAD_MS / every);
  const spec = gatesOf(Math.ceil(turns / STREAMS) + 1, AGENTS);
  await runsAlone(headless, spec, turns);
  const before = residentMib(headless.urls.pid);
  const all: Watched[] = [];
  for (let i = 0; i < STREAMS; i += 1) all.push(await Watched.open(headless, spec));
  const start = performance.now();
  const samples: number[] = [];
  const pending: Promise<void>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await sleep(Math.max(0, start + turn * every - performance.now()));
    const watched = all[turn % STREAMS];
    if (watched !== undefined) {
      pending.push(watched.decide().then((late) => void samples.push(...late)));
    }
  }
  await Promise.all(pending);
  const rate = samples.length / ((performance.now() - start) / 1000);
  const grown = residentMib(headless.urls.pid) - before;
  for (const watched of all) watched.leave();
  const name = `stream: the same, ${STREAMS} of them`;
  return [
    toFigure(SUITE, { name, unit: 'ms', budget: { atMost: 100, of: 'p95' } }, samples),
    toFigure(
      SUITE,
      { name: 'events that were read meanwhile', unit: '1/s', budget: { atLeast: 900 } },
      [rate],
    ),
    toFigure(
      SUITE,
      {
        name: 'memory for them, after as many events without',
        unit: 'MiB',
        budget: { atMost: 100 },
      },
      [grown],
    ),
  ];
}

/** Streams of a long trace whose readers do not read; of services that did nothing before. */
export async function stalledFigures(headless: Headless): Promise<Figure[]> {
  const { urls } = headless;
  const { id } = await tracedRun(urls.platform);
  const url = `${urls.dashboard}/api/runs/${id}/trace/stream?after=0&window_id=stalled`;
  const once = await readSse(url);
  await once.closed;
  await sleep(1000);
  const before = residentMib(urls.pid);
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof request>>();
      const asked = request(url, (answer) => {
        answer.pause();
        if (answer.statusCode === 200) resolve(asked);
        else reject(new Error(`a stream was answered ${answer.statusCode}`));
      });
      asked.on('error', reject);
      return promise;
    }),
  );
  await sleep(STALLED_MS);
  const grown = residentMib(urls.pid) - before;
  for (const reader of readers) reader.destroy();
  const name = `memory for ${STREAMS} readers who stand still`;
  return [toFigure(SUITE, { name, unit: 'MiB', budget: { atMost: 100 } }, [grown])];
}

/** How late an event is, and what the streams hold. */
export async function streamFigures(headless: Headless): Promise<Figure[]> {
  return [await oneStream(headless), ...(await manyStreams(headless))];
}

function requestsOf(folder: string, run: string): number {
  const logs = path.join(folder, 'logs');
  return readdirSync(logs)
    .flatMap((file) => readFileSync(path.join(logs, file), 'utf8').split('\n'))
    .filter((line) => line.includes('http_request') && line.includes(`/v1/runs/${run}`)).length;
}

/** Reads of the platform for a stream of a run at which nothing happens. */
export async function idleStreamFigures(headless: Headless, folder: string): Promise<Figure[]> {
  const watched = await Watched.open(headless, gatesOf(1, 1));
  await sleep(1000);
  const samples: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const before = requestsOf(folder, watched.id);
    await sleep(IDLE_MS);
    samples.push(requestsOf(folder, watched.id) - before);
  }
  watched.leave();
  return [
    toFigure(
      SUITE,
      { name: 'stream at rest: reads of the platform in 10 s', unit: '', budget: { atMost: 1 } },
      samples,
    ),
  ];
}
