import type { Log } from '../kernel/log.ts';

/** Names of SERV_LOG_LEVEL → how grave a line must be: 0 all, 1 warnings, 2 errors, 3 none. */
export const LOG_LEVELS: ReadonlyMap<string, number> = new Map([
  ['NOTSET', 0],
  ['TRACE', 0],
  ['DEBUG', 0],
  ['INFO', 0],
  ['WARN', 1],
  ['WARNING', 1],
  ['ERROR', 2],
  ['CRITICAL', 3],
  ['FATAL', 3],
]);

/**
 * The log without lines less grave than `level`. Lines of an export channel (`channel`) are no
 * messages of the log and always pass.
 */
export function leveledLog(log: Log, level: number): Log {
  return {
    info(fields, message) {
      if (level <= 0 || fields['channel'] !== undefined) log.info(fields, message);
    },
    warn(fields, message) {
      if (level <= 1) log.warn(fields, message);
    },
    error(fields, message) {
      if (level <= 2) log.error(fields, message);
    },
  };
}
