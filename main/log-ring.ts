// biome-ignore lint/style/noRestrictedImports: a full log takes another name.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The last lines of a process, in memory for the window and in a file for later. */
export interface LogRing {
  write(chunk: string): void;
  lines(): readonly string[];
}

/** The size of the file, which becomes `<file>.1` once it is full. */
function makeRoom(file: string, size: number): number {
  if (size < MAX_FILE_BYTES) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

/**
 * Keeps `capacity` lines and appends everything to `file`, which moves to `<file>.1` when it has
 * 4 MiB, so that the two never hold more than about 8. A disk that refuses costs the file, never
 * the window.
 */
export function createLogRing(file: string, capacity = 200): LogRing {
  const kept: string[] = [];
  let rest = '';
  let toFile = true;
  let size = 0;
  const giveUp = (error: unknown) => {
    toFile = false;
    kept.push(`The log file cannot be written: ${String(error)}`);
  };
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    giveUp(error);
  }
  const append = (text: string) => {
    if (!toFile) return;
    try {
      size = makeRoom(file, size) + Buffer.byteLength(text);
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      giveUp(error);
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
