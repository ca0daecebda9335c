import { setTimeout as sleep } from 'node:timers/promises';
import type { Headless } from '../e2e/support/headless.ts';
import { type Figure, measure, milliseconds, quantile, toFigure } from './harness.ts';
import { callers, get, post } from './platform-http.ts';
import { chainOf, newSpec, TINY } from './platform-specs.ts';

const SUITE = 'platform';
const CALLERS = 8;
const SUSTAINED_MS = 30_000;
const QUEUED = 2000;
const AT_REST_MS = 5000;
/** After one that is not counted: nothing was queued before it. */
const ROUNDS = 5;

async function oneCaller(runs: string): Promise<Figure[]> {
  const samples: number[] = [];
  const body = { spec: TINY, input: 'hello' };
  for (let i = 0; i < 100; i += 1) await post(runs, body);
  for (let i = 0; i < 1000; i += 1) samples.push(await milliseconds(() => post(runs, body)));
  return [
    toFigure(
      SUITE,
      { name: 'sync tiny run, one caller', unit: 'ms', budget: { atMost: 2 } },
      samples,
    ),
    toFigure(SUITE, { name: 'the same, 99th percentile', unit: 'ms', budget: { atMost: 15 } }, [
      quantile(samples, 0.99),
    ]),
  ];
}

/** Eight callers for half a minute, with a list read every 50 ms beside them. */
async function eightCallers(runs: string): Promise<Figure[]> {
  const until = performance.now() + SUSTAINED_MS;
  const perSecond: number[] = [];
  const reads: number[] = [];
  let done = 0;
  const work = callers(CALLERS, async () => {
    await post(runs, { spec: TINY, input: 'hello' });
    done += 1;
    return performance.now() < until;
  });
  const reader = async (): Promise<void> => {
    while (performance.now() < until) {
      reads.push(await milliseconds(() => get(`${runs}?limit=100`)));
      await sleep(50);
    }
  };
  const counter = async (): Promise<void> => {
    while (performance.now() < until) {
      const [before, at] = [done, performance.now()];
      await sleep(1000);
      perSecond.push((done - before) / ((performance.now() - at) / 1000));
    }
  };
  await Promise.all([work, reader(), counter()]);
  return [
    toFigure(
      SUITE,
      {
        name: `sync tiny runs, ${CALLERS} callers, 30 s`,
        unit: 'runs/s',
        budget: { atLeast: 800 },
      },
      perSecond,
    ),
    toFigure(
      SUITE,
      { name: 'list reads beside them, 99th percentile', unit: 'ms', budget: { atMost: 25 } },
      [quantile(reads, 0.99)],
    ),
  ];
}

async function queued(runs: string): Promise<number> {
  const { total } = JSON.parse(await get(`${runs}?limit=1&status=queued`));
  const running = JSON.parse(await get(`${runs}?limit=1&status=running`));
  return total + running.total;
}

async function enqueueAndDrain(runs: string): Promise<Figure[]> {
  const enqueue: number[] = [];
  const drain: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    let left = QUEUED;
    const start = performance.now();
    await callers(CALLERS, async () => {
      left -= 1;
      if (left < 0) return false;
      await post(runs, { spec: TINY, input: 'hello', async_mode: true });
      return true;
    });
    const enqueued = performance.now();
    enqueue.push(QUEUED / ((enqueued - start) / 1000));
    const waiting = await queued(runs);
    const from = performance.now();
    while ((await queued(runs)) > 0) await sleep(20);
    if (waiting > 0) drain.push(waiting / ((performance.now() - from) / 1000));
  }
  return [
    toFigure(
      SUITE,
      { name: 'async: enqueue, a worker beside it', unit: 'runs/s', budget: { atLeast: 2000 } },
      enqueue.slice(1),
    ),
    toFigure(
      SUITE,
      { name: 'async: drain with one worker', unit: 'runs/s', budget: { atLeast: 800 } },
      drain.slice(1),
    ),
  ];
}

async function compile(specs: string): Promise<Figure[]> {
  const rates: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    let left = 1000;
    const start = performance.now();
    await callers(CALLERS, async () => {
      left -= 1;
      if (left < 0) return false;
      await post(`${specs}/compile`, { spec: newSpec() });
      return true;
    });
    rates.push(1000 / ((performance.now() - start) / 1000));
  }
  return [
    toFigure(
      SUITE,
      { name: 'validate + compile, every spec new', unit: 'specs/s', budget: { atLeast: 2000 } },
      rates.slice(1),
    ),
  ];
}

async function longRuns(runs: string): Promise<Figure[]> {
  const timed = async (steps: number, repeats: number): Promise<Figure> =>
    measure(SUITE, {
      name: `run of ${steps} steps`,
      unit: 'ms',
      warmup: 2,
      repeats,
      budget: steps === 100 ? { atMost: 60 } : null,
      sample: () => milliseconds(() => post(runs, { spec: chainOf(steps), input: 'hello' })),
    });
  // What ran before is still being indexed for `q`, and a short run pays more of that.
  await sleep(AT_REST_MS);
  const short = await timed(100, 40);
  const long = await timed(1000, 11);
  const growth = toFigure(
    SUITE,
    { name: 'growth from 100 to 1000 steps', unit: 'times', budget: { atMost: 11 } },
    [long.median / short.median],
  );
  return [short, long, growth];
}

/** Execution over HTTP on loopback, offline runtime. */
export async function runFigures({ urls }: Headless): Promise<Figure[]> {
  const runs = `${urls.platform}/v1/runs`;
  return [
    ...(await oneCaller(runs)),
    ...(await longRuns(runs)),
    ...(await eightCallers(runs)),
    ...(await enqueueAndDrain(runs)),
    ...(await compile(`${urls.platform}/v1/specs`)),
  ];
}

const DURABILITY_MS = 5000;

/** What an acknowledged write costs that survives a kill (`normal`), and one that survives a power cut. */
export async function durabilityFigures(
  { urls }: Headless,
  durability: 'normal' | 'full',
): Promise<Figure[]> {
  const runs = `${urls.platform}/v1/runs`;
  const note = `durability ${durability}`;
  const one = await measure(SUITE, {
    name: `sync tiny run, one caller, ${note}`,
    unit: 'ms',
    warmup: 20,
    repeats: 200,
    sample: () => milliseconds(() => post(runs, { spec: TINY, input: 'hello' })),
  });
  const rate = async (async_mode: boolean): Promise<number> => {
    const from = performance.now();
    let done = 0;
    await callers(CALLERS, async () => {
      await post(runs, { spec: TINY, input: 'hello', async_mode });
      done += 1;
      return performance.now() - from < DURABILITY_MS;
    });
    return done / ((performance.now() - from) / 1000);
  };
  const sync = { name: `sync tiny runs, ${CALLERS} callers, ${note}`, unit: 'runs/s' };
  const queueing = { name: `async: enqueue, ${note}`, unit: 'runs/s' };
  return [
    one,
    toFigure(SUITE, sync, [await rate(false)]),
    toFigure(SUITE, queueing, [await rate(true)]),
  ];
}
