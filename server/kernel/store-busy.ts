import { systemCode } from '../kernel/system-code.ts';

const PASSING = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/** True for a store fault that may pass (locked, full, unreachable, write-protected), as opposed to a defect. */
export function isStoreBusy(error: unknown): boolean {
  const code = systemCode(error);
  if (code === undefined) return false;
  return [...PASSING].some((prefix) => code === prefix || code.startsWith(`${prefix}_`));
}
