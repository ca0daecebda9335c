import type { Headless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import {
  figuresOfParts,
  filled,
  inFolder,
  MANY,
  manyRuns,
  withServices,
} from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';
import { listFigures, traceFigures } from './platform-reads.bench.ts';
import { durabilityFigures, runFigures } from './platform-runs.bench.ts';
import { idleFigures, keptFigures, startFigures } from './platform-start.bench.ts';

const FEW = 100;

/** The same pure work again and again: what differs is the machine. */
function noise(): Figure {
  const samples = Array.from({ length: 30 }, () => {
    const from = performance.now();
    let sum = 0;
    for (let i = 0; i < 5_000_000; i += 1) sum = (sum * 31 + i) % 1_000_003;
    return sum < 0 ? Number.NaN : performance.now() - from;
  });
  return toFigure('platform', { name: 'noise: a fixed loop', unit: 'ms' }, samples);
}

const served =
  (work: (headless: Headless) => Promise<Figure[]>, env?: Readonly<Record<string, string>>) =>
  (folder: string): Promise<Figure[]> =>
    withServices(folder, work, env);

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  runs: () => inFolder(scratchFolder(), served(runFigures)),
  durability: async () => [
    ...(await inFolder(
      scratchFolder(),
      served((headless) => durabilityFigures(headless, 'normal')),
    )),
    ...(await inFolder(
      scratchFolder(),
      served((headless) => durabilityFigures(headless, 'full'), { SERV_DURABILITY: 'full' }),
    )),
  ],
  trace: () => inFolder(scratchFolder(), served(traceFigures)),
  lists: async () => [
    ...(await inFolder(
      await filled(FEW),
      served((headless) => listFigures(headless, FEW)),
    )),
    ...(await withServices((await manyRuns()).path, (headless) => listFigures(headless, MANY))),
  ],
  start: async () => {
    const full = await manyRuns();
    return inFolder(scratchFolder(), (empty) => startFigures(empty, full.path));
  },
  idle: () => inFolder(scratchFolder(), idleFigures),
  kept: () => inFolder(scratchFolder(), keptFigures),
};

/**
 * The table over HTTP on loopback, with the offline runtime. SPECWRIGHT_BENCH_PARTS names
 * some of its parts: runs, durability, trace, lists, start, idle, kept.
 */
export async function platformBench(): Promise<readonly Figure[]> {
  return [noise(), ...(await figuresOfParts(PARTS))];
}
