import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, toFigure } from './harness.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../out/main/server.mjs');
const SPEC = path.resolve(import.meta.dirname, '../fixtures/specs/invoice-approval.yaml');
const REPEATS = 15;

function timed(words: readonly string[], folder: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: { ...process.env, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return performance.now() - start;
}

/** From the process's start to its end, Node's own start included. */
export async function cliBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-bench-'));
  const figure = (name: string, words: readonly string[], budget?: { atMost: number }): Figure => {
    timed(words, folder);
    const samples = Array.from({ length: REPEATS }, () => timed(words, folder));
    return toFigure('cli', { name, unit: 'ms', ...(budget && { budget }) }, samples);
  };
  const figures = [
    figure('Node alone', ['-e', '0']),
    figure('--version', [PROGRAM, '--version'], { atMost: 150 }),
    figure('spec validate of a file', [PROGRAM, 'spec', 'validate', SPEC]),
    figure('runs list in process', [PROGRAM, 'runs', 'list']),
  ];
  rmSync(folder, { recursive: true, force: true });
  return figures;
}
