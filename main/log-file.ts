// biome-ignore lint/style/noRestrictedImports: a full log takes another name.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** What the shell and its child write, for later. */
export interface LogFile {
  write(chunk: string): void;
}

/** The size of the file, which becomes `<file>.1` once it is full. */
function makeRoom(file: string, size: number): number {
  if (size < MAX_FILE_BYTES) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

/**
 * Appends everything to `file`, which moves to `<file>.1` when it has 4 MiB, so that the two never
 * hold more than about 8. A disk that refuses costs the file, never the window.
 */
export function createLogFile(file: string): LogFile {
  let writable = true;
  let size = 0;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    writable = false;
  }
  return {
    write(chunk) {
      if (!writable) return;
      try {
        size = makeRoom(file, size) + Buffer.byteLength(chunk);
        appendFileSync(file, chunk, { mode: 0o600 });
      } catch {
        writable = false;
      }
    },
  };
}
