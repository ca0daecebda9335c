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
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return false;
  const code = error.code;
  return [...PASSING].some((prefix) => code === prefix || code.startsWith(`${prefix}_`));
}
