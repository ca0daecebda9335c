import { createWriteStream, renameSync, statSync } from 'node:fs';
import { pino } from 'pino';
import type { Log } from '../kernel/log.ts';

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The log of the services: JSON lines on standard error and in a file. */
export interface HostLog extends Log {
  /** Lets standard error have what was held back; called once the start succeeded. */
  release(): void;
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
  let held: string[] | undefined = [];
  const stderr = {
    write(line: string) {
      if (held === undefined) process.stderr.write(line);
      else held.push(line);
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
    release() {
      const lines = held ?? [];
      held = undefined;
      for (const line of lines) process.stderr.write(line);
    },
  };
}
