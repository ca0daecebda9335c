import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Headless, serveHeadless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { fillRuns } from '../support/fill-runs.ts';
import type { Figure } from './harness.ts';

/** Settings of services that are measured. */
export const QUIET = { SPECWRIGHT_LOG: 'file', SERV_REQUEST_LOGS: 'false' };
/** As many runs as budgets of large stores speak of. */
export const MANY = 100_000;

type Scratch = ReturnType<typeof scratchFolder>;

/** All services over a folder, without a key, while something is measured. */
export async function withServices(
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

/** A data folder with so many stored runs. */
export async function filled(runs: number): Promise<Scratch> {
  const folder = scratchFolder();
  const from = performance.now();
  await fillRuns(path.join(folder.path, 'platform.db'), runs);
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stderr.write(`  ${runs} runs stored in ${seconds} s\n`);
  return folder;
}

let many: Promise<Scratch> | undefined;

/** A folder with {@link MANY} runs; made once, for whichever part of a suite asks first. */
export function manyRuns(): Promise<Scratch> {
  many ??= filled(MANY);
  return many;
}

/** Removes what {@link manyRuns} made, at the end of a suite. */
async function removeMany(): Promise<void> {
  (await many)?.remove();
  many = undefined;
}

/** Uses a folder up. */
export async function inFolder(
  folder: Scratch,
  work: (folder: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}

/** The parts of a suite that SPECWRIGHT_BENCH_PARTS names, all by default. */
export async function figuresOfParts(
  parts: Readonly<Record<string, () => Promise<Figure[]>>>,
): Promise<Figure[]> {
  const asked = (process.env['SPECWRIGHT_BENCH_PARTS'] ?? '')
    .split(',')
    .filter((name) => name !== '');
  const figures: Figure[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const from = performance.now();
    figures.push(...(await part()));
    process.stderr.write(`  ${name}: ${Math.round((performance.now() - from) / 1000)} s\n`);
  }
  await removeMany();
  return figures;
}

/** A process, its children and theirs. */
function familyOf(pid: number): number[] {
  // Any of a process's threads may have started a child.
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g),
  );
  return [
    pid,
    ...children
      .filter((one) => one !== null)
      .map(Number)
      .flatMap(familyOf),
  ];
}

const MIB_IN_KB = 1024;

function memoryMib(pid: number, file: string, line: RegExp): number {
  const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
  return Number(line.exec(text)?.[1] ?? Number.NaN) / MIB_IN_KB;
}

/** Resident memory of a process and of its children, in MiB. */
export function residentMib(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + memoryMib(one, 'status', /VmRSS:\s+(\d+) kB/), 0);
}

/** The same where pages that processes share count once, as a window's processes share many. */
export function sharedMib(pid: number): number {
  return familyOf(pid).reduce(
    (sum, one) => sum + memoryMib(one, 'smaps_rollup', /^Pss:\s+(\d+) kB/m),
    0,
  );
}

/** Ticks of the kernel's clock in a second, as it tells the times of processes. */
const TICKS = 100;
const [USER_TIME, SYSTEM_TIME] = [11, 12];

/** Milliseconds for which a process has computed so far, all its threads together. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before the brace may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
  return (ticks * 1000) / TICKS;
}
