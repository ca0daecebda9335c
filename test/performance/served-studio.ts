import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import type { Figure } from './harness.ts';

const CHILD = path.resolve(import.meta.dirname, '../support/studio-child.ts');

interface ServedStudio {
  readonly url: string;
  stop(): Promise<void>;
}

/** A studio as it is used: its callers are other processes. */
async function serveStudio(folder: string): Promise<ServedStudio> {
  mkdirSync(path.join(folder, 'tree'));
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  if (!Buffer.isBuffer(line)) throw new Error(`the studio ended with ${line}`);
  return {
    url: line.toString().trim(),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Figures of a studio whose callers are another process, as they are. */
export async function withServed(work: (url: string) => Promise<readonly Figure[]>) {
  const folder = scratchFolder();
  try {
    const studio = await serveStudio(folder.path);
    try {
      return await work(studio.url);
    } finally {
      await studio.stop();
    }
  } finally {
    folder.remove();
  }
}
