// biome-ignore lint/style/noRestrictedImports: a log grows, and a full one takes another name.
import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs';

/** A file of lines that never grows past its share of the disk. */
export interface RotatingFile {
  write(line: string): void;
}

interface Options {
  /** At this size `file` becomes `file.1`, that one `file.2`, and so on. Bytes. */
  readonly maxBytes: number;
  /** Older files that are kept. */
  readonly kept: number;
}

/** Lines that wait for a slow disk; more are dropped. Bytes. */
const MAX_WAITING = 4 * 1024 * 1024;
const RETRY_MS = 10_000;

function shift(file: string, kept: number): void {
  for (let index = kept; index >= 1; index -= 1) {
    const from = index === 1 ? file : `${file}.${index - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined)
      renameSync(from, `${file}.${index}`);
  }
}

/**
 * Appends lines to a file of mode 0600 and turns it over by size. A disk that refuses costs lines,
 * never the program; it is asked again after ten seconds.
 */
export function openRotatingFile(file: string, { maxBytes, kept }: Options): RotatingFile {
  let stream: WriteStream | undefined;
  let size = 0;
  let retryAt = 0;
  const giveUp = (): void => {
    stream?.destroy();
    stream = undefined;
    retryAt = performance.now() + RETRY_MS;
  };
  const open = (turnOver: boolean): void => {
    try {
      size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (turnOver || size >= maxBytes) {
        shift(file, kept);
        size = 0;
      }
      const opened = createWriteStream(file, { fd: openSync(file, 'a', 0o600) });
      opened.on('error', () => {
        if (opened === stream) giveUp();
      });
      stream = opened;
    } catch {
      giveUp();
    }
  };
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (stream !== undefined && size > 0 && size + bytes > maxBytes) {
        stream.end();
        open(true);
      } else if (stream === undefined && performance.now() >= retryAt) {
        open(false);
      }
      if (stream === undefined || stream.writableLength > MAX_WAITING) return;
      size += bytes;
      stream.write(line);
    },
  };
}
