// biome-ignore lint/style/noRestrictedImports: a full log takes another name.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

export type NoteLevel = 'info' | 'warn' | 'error';

/** A stretch of the log and the file that holds it; `start` counts from where the log began. */
export interface LogSpan {
  readonly file: string;
  readonly start: number;
  readonly size: number;
}

/** What the shell and its child write, for later. */
export interface LogFile {
  /** What the child wrote, as it came. */
  write(chunk: string): void;
  /** A line of the shell's own, with its time. */
  note(level: NoteLevel, text: string): void;
  /** Where the log stands now, oldest first. A place in it stays the same when a file turns over. */
  spans(): readonly LogSpan[];
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Appends everything to `file`, which moves to `<file>.1` when it has 4 MiB, so that the two never
 * hold more than about 8. A disk that refuses costs the file, never the window.
 */
export function createLogFile(file: string, now: () => Date): LogFile {
  const turned = `${file}.1`;
  let writable = true;
  let size = 0;
  let before = { start: 0, size: 0 };
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    size = sizeOf(file);
    before = { start: 0, size: sizeOf(turned) };
  } catch {
    writable = false;
  }
  const makeRoom = () => {
    if (size < MAX_FILE_BYTES) return;
    renameSync(file, turned);
    before = { start: before.start + before.size, size };
    size = 0;
  };
  const write = (chunk: string) => {
    if (!writable) return;
    try {
      makeRoom();
      appendFileSync(file, chunk, { mode: 0o600 });
      size += Buffer.byteLength(chunk);
    } catch {
      writable = false;
    }
  };
  return {
    write,
    note(level, text) {
      const line = { level, time: now().toISOString(), source: 'shell', msg: text.trim() };
      write(`${JSON.stringify(line)}\n`);
    },
    spans: () => [
      { file: turned, ...before },
      { file, start: before.start + before.size, size },
    ],
  };
}
