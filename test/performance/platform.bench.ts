import path from 'node:path';
import { type Headless, serveHeadless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { fillRuns } from '../support/fill-runs.ts';
import { type Figure, toFigure } from './harness.ts';
import { listFigures, traceFigures } from './platform-reads.bench.ts';
import { durabilityFigures, runFigures } from './platform-runs.bench.ts';
import { idleFigures, keptFigures, startFigures } from './platform-start.bench.ts';

const QUIET = { SPECWRIGHT_LOG: 'file', SERV_REQUEST_LOGS: 'false' };
const FEW = 100;
const MANY = 100_000;

async function withServices(
  folder: string,
  work: (headless: Headless) => Promise<Figure[]>,
  env: Readonly<Record<string, string>> = {},
): Promise<Figure[]> {
  const headless = await serveHeadless({ folder, args: ['--open'], env: { ...QUIET, ...env } });
  try {
    return await work(headless);
  } finally {
    await headless.stop();
  }
}

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

type Scratch = ReturnType<typeof scratchFolder>;

async function filled(runs: number): Promise<Scratch> {
  const folder = scratchFolder();
  const from = performance.now();
  await fillRuns(path.join(folder.path, 'platform.db'), runs);
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stderr.write(`  ${runs} runs stored in ${seconds} s\n`);
  return folder;
}

/** The large store is made once, for whichever part asks first. */
let many: Promise<Scratch> | undefined;

function manyRuns(): Promise<Scratch> {
  many ??= filled(MANY);
  return many;
}

async function inFolder(
  folder: Scratch,
  work: (folder: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
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
  const asked = (process.env['SPECWRIGHT_BENCH_PARTS'] ?? '')
    .split(',')
    .filter((name) => name !== '');
  const figures: Figure[] = [noise()];
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const from = performance.now();
    figures.push(...(await part()));
    process.stderr.write(`  ${name}: ${Math.round((performance.now() - from) / 1000)} s\n`);
  }
  (await many)?.remove();
  return figures;
}
