import { systemCode } from '../kernel/system-code.ts';

const PASSING = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/**
 * SQLSTATEs of an external database: connections, room, refusals of work at this time, read-only after
 * a change of primary, work that others got in the way of, faults of its disk.
 */
const PASSING_STATES = /^(?:STORE_UNREACHABLE|08...|53...|55P03|57...|25006|40001|40P01|58...)$/;

/** True for a store fault that may pass (locked, full, unreachable, write-protected), as opposed to a defect. */
export function isStoreBusy(error: unknown): boolean {
  const code = systemCode(error);
  if (code === undefined) return false;
  if (PASSING_STATES.test(code)) return true;
  return [...PASSING].some((prefix) => code === prefix || code.startsWith(`${prefix}_`));
}
