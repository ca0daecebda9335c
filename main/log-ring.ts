import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The last lines of a process, in memory for the window and in a file for later. */
export interface LogRing {
  write(chunk: string): void;
  lines(): readonly string[];
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_FILE_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Keeps `capacity` lines and appends everything to `file`, which moves to `<file>.1` when it is
 * over 4 MiB at the start of the program. A disk that refuses costs the file, never the window.
 */
export function createLogRing(file: string, capacity = 200): LogRing {
  const kept: string[] = [];
  let rest = '';
  let toFile = true;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    rotate(file);
  } catch (error) {
    toFile = false;
    kept.push(`The log file cannot be written: ${String(error)}`);
  }
  const append = (text: string) => {
    if (!toFile) return;
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      toFile = false;
      kept.push(`The log file cannot be written: ${String(error)}`);
    }
  };
  return {
    write(chunk) {
      append(chunk);
      const pieces = (rest + chunk).split('\n');
      rest = pieces.pop() ?? '';
      kept.push(...pieces.filter((line) => line !== ''));
      if (kept.length > capacity) kept.splice(0, kept.length - capacity);
    },
    lines: () => (rest === '' ? [...kept] : [...kept, rest]),
  };
}
