import { setTimeout as sleep } from 'node:timers/promises';
import { serveHeadless } from '../e2e/support/headless.ts';
import { QUIET, residentMib } from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';
import { callers, get, post } from './platform-http.ts';
import { TINY } from './platform-specs.ts';

const SUITE = 'platform';
const STARTS = 7;
const IDLE_MS = 30_000;
const CALLERS = 8;
const LOAD = 40_000;
const AFTER_LOAD_MS = 60_000;

async function readyTimes(folder: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= STARTS; i += 1) {
    const from = performance.now();
    const headless = await serveHeadless({ folder, env: QUIET });
    times.push(performance.now() - from);
    await headless.stop();
  }
  return times.slice(1);
}

/** From the start of the process to the answer of all services, without and with many runs. */
export async function startFigures(empty: string, full: string): Promise<Figure[]> {
  const few = toFigure(
    SUITE,
    { name: 'services ready, empty', unit: 'ms', budget: { atMost: 700 } },
    await readyTimes(empty),
  );
  const many = toFigure(
    SUITE,
    { name: 'services ready, 100000 runs', unit: 'ms' },
    await readyTimes(full),
  );
  const ratio = { name: 'the second against the first', unit: 'times', budget: { atMost: 1.1 } };
  return [few, many, toFigure(SUITE, ratio, [many.median / few.median])];
}

/** Resident memory of all services half a minute after their start. */
export async function idleFigures(folder: string): Promise<Figure[]> {
  const headless = await serveHeadless({ folder, env: QUIET });
  await sleep(IDLE_MS);
  const samples: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    samples.push(residentMib(headless.urls.pid));
    await sleep(500);
  }
  await headless.stop();
  return [
    toFigure(
      SUITE,
      { name: 'idle memory, all services', unit: 'MiB', budget: { atMost: 160 } },
      samples,
    ),
  ];
}

async function unfinished(runs: string): Promise<number> {
  const [queued, running] = await Promise.all(
    ['queued', 'running'].map(async (status) =>
      JSON.parse(await get(`${runs}?limit=1&status=${status}`)),
    ),
  );
  return queued.total + running.total;
}

/** Resident memory a minute after many runs, half of them queued. */
export async function keptFigures(folder: string): Promise<Figure[]> {
  const headless = await serveHeadless({ folder, args: ['--open'], env: QUIET });
  const runs = `${headless.urls.platform}/v1/runs`;
  let left = LOAD;
  await callers(CALLERS, async () => {
    left -= 1;
    if (left < 0) return false;
    await post(runs, { spec: TINY, input: 'hello', async_mode: left % 2 === 0 });
    return true;
  });
  while ((await unfinished(runs)) > 0) await sleep(100);
  const loaded = residentMib(headless.urls.pid);
  await sleep(AFTER_LOAD_MS);
  const kept = residentMib(headless.urls.pid);
  await headless.stop();
  return [
    toFigure(SUITE, { name: `memory at the end of ${LOAD} runs`, unit: 'MiB' }, [loaded]),
    toFigure(SUITE, { name: 'the same, a minute later', unit: 'MiB', budget: { atMost: 250 } }, [
      kept,
    ]),
  ];
}
