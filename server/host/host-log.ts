import { pino } from 'pino';
import type { Log } from '../kernel/log.ts';
import { showControls } from '../kernel/terminal-text.ts';
import { openRotatingFile } from './rotating-file.ts';

const ROTATION = { maxBytes: 8 * 1024 * 1024, kept: 2 };
/**
 * Bytes that may wait for the reader of standard error; lines beyond them are dropped for that
 * reader.
 */
const MAX_UNREAD = 1024 * 1024;

/** The log of the services: JSON lines on standard error and in a file. */
export interface HostLog extends Log {
  /** Called once the start succeeded: standard error gets what was held back, or nothing for good. */
  release(to: 'stderr' | 'file'): void;
}

function sayOnStderr(line: string): void {
  if (process.stderr.writableLength < MAX_UNREAD) process.stderr.write(showControls(line));
}

/**
 * Standard error stays silent until `release`, so that a refused start says exactly one line
 * there; the file has everything. A file that cannot be written costs the file only, and a reader
 * of standard error that does not read costs the lines.
 */
export function createHostLog(file: string): HostLog {
  const held: string[] = [];
  let mode: 'held' | 'stderr' | 'file' = 'held';
  const stderr = {
    write(line: string) {
      if (mode === 'stderr') sayOnStderr(line);
      else if (mode === 'held') held.push(line);
    },
  };
  const disk = openRotatingFile(file, ROTATION);
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
      if (to === 'stderr') for (const line of lines) sayOnStderr(line);
    },
  };
}
