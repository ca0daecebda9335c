import type { Headless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { readFigures } from './dashboard-reads.bench.ts';
import {
  idleStreamFigures,
  STREAM_SETTINGS,
  stalledFigures,
  streamFigures,
} from './dashboard-streams.bench.ts';
import { LONG_RUNS, windowFigures } from './dashboard-window.bench.ts';
import { figuresOfParts, inFolder, MANY, manyRuns, withServices } from './filled-platform.ts';
import type { Figure } from './harness.ts';

async function overMany(
  work: (headless: Headless) => Promise<Figure[]>,
  env: Readonly<Record<string, string>> = {},
): Promise<Figure[]> {
  return withServices((await manyRuns()).path, work, env);
}

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  reads: () => overMany((headless) => readFigures(headless, MANY)),
  window: () => overMany(windowFigures, LONG_RUNS),
  streams: () =>
    inFolder(scratchFolder(), (folder) => withServices(folder, streamFigures, STREAM_SETTINGS)),
  stalled: () =>
    inFolder(scratchFolder(), (folder) => withServices(folder, stalledFigures, STREAM_SETTINGS)),
  idle: () =>
    inFolder(scratchFolder(), (folder) =>
      withServices(folder, (headless) => idleStreamFigures(headless, folder), {
        SERV_REQUEST_LOGS: 'true',
      }),
    ),
};

/**
 * The dashboard over a platform with many runs, in a browser too, and its streams.
 * SPECWRIGHT_BENCH_PARTS names some of its parts: reads, window, streams, stalled, idle.
 */
export function dashboardBench(): Promise<readonly Figure[]> {
  return figuresOfParts(PARTS);
}
