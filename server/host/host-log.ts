import { createWriteStream, renameSync, statSync } from 'node:fs';
import { pino } from 'pino';
import type { Log } from '../kernel/log.ts';

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The log of the services: JSON lines on standard error and in a file. */
export interface HostLog extends Log {
  /** Called once the start succeeded: standard error gets what was held back, or nothing for good. */
  release(to: 'stderr' | 'file'): void;
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_FILE_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Standard error stays silent until `release`, so that a refused start says exactly one line
 * there; the file has everything. A file that cannot be written costs the file only.
 */
export function createHostLog(file: string): HostLog {
  const held: string[] = [];
  let mode: 'held' | 'stderr' | 'file' = 'held';
  const stderr = {
    write(line: string) {
      if (mode === 'stderr') process.stderr.write(line);
      else if (mode === 'held') held.push(line);
    },
  };
  rotate(file);
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', () => stream.destroy());
  const disk = {
    write(line: string) {
      if (!stream.destroyed) stream.write(line);
    },
  };
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.multistream([{ stream: stderr }, { stream: disk }]),
  );
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    release(to) {
      mode = to;
      const lines = held.splice(0);
      if (to === 'stderr') for (const line of lines) process.stderr.write(line);
    },
  };
}
