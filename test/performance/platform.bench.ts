import path from 'node:path';
import { type Headless, serveHeadless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { fillRuns } from '../support/fill-runs.ts';
import { type Figure, toFigure } from './harness.ts';
import { listFigures, traceFigures } from './platform-reads.bench.ts';
import { durableFigures, runFigures } from './platform-runs.bench.ts';
import { idleFigures, startFigures } from './platform-start.bench.ts';

const QUIET = { SPECWRIGHT_LOG: 'file', SERV_REQUEST_LOGS: 'false' };
const FEW = 100;
const MANY = 100_000;

async function withServices(
  folder: string,
  work: (headless: Headless) => Promise<Figure[]>,
  env: Readonly<Record<string, string>> = {},
): Promise<Figure[]> {
  const headless = await serveHeadless({ folder, env: { ...QUIET, ...env } });
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

async function filled(folder: string, runs: number): Promise<void> {
  const from = performance.now();
  await fillRuns(path.join(folder, 'platform.db'), runs);
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stderr.write(`  ${runs} runs stored in ${seconds} s\n`);
}

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  runs: async () => {
    const [folder, durable] = [scratchFolder(), scratchFolder()];
    const figures = [
      ...(await withServices(folder.path, runFigures)),
      ...(await withServices(durable.path, durableFigures, { SERV_DURABILITY: 'full' })),
    ];
    folder.remove();
    durable.remove();
    return figures;
  },
  trace: async () => {
    const folder = scratchFolder();
    const figures = await withServices(folder.path, traceFigures);
    folder.remove();
    return figures;
  },
  lists: async () => {
    const [empty, few, many] = [scratchFolder(), scratchFolder(), scratchFolder()];
    await filled(few.path, FEW);
    await filled(many.path, MANY);
    const figures = [
      ...(await withServices(few.path, (headless) => listFigures(headless, FEW))),
      ...(await withServices(many.path, (headless) => listFigures(headless, MANY))),
      ...(await startFigures(empty.path, many.path)),
      ...(await idleFigures(empty.path)),
    ];
    for (const folder of [empty, few, many]) folder.remove();
    return figures;
  },
};

/**
 * The table of issue 5 over HTTP on loopback, with the offline runtime. SPECWRIGHT_BENCH_PARTS names
 * some of its parts: runs, trace, lists.
 */
export async function platformBench(): Promise<readonly Figure[]> {
  const asked = (process.env['SPECWRIGHT_BENCH_PARTS'] ?? '')
    .split(',')
    .filter((name) => name !== '');
  const figures: Figure[] = [noise()];
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) figures.push(...(await part()));
  }
  return figures;
}
