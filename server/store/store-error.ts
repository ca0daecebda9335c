import { systemCode } from '../kernel/system-code.ts';

export type StoreErrorCode =
  | 'store_newer'
  | 'store_from_unreleased_version'
  | 'store_corrupt'
  | 'store_lost'
  | 'store_locked'
  | 'store_unwritable'
  | 'store_full'
  | 'store_unreachable'
  | 'store_denied'
  | 'store_unsupported'
  | 'store_half_copied'
  | 'copy_refused'
  | 'copy_differs'
  | 'migration_failed'
  | 'migration_edited';

/** A store that cannot be opened. The message names the store and says what to do; no path, no driver text. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

const BY_DRIVER_CODE: readonly (readonly [prefix: string, code: StoreErrorCode, advice: string])[] =
  [
    [
      'SQLITE_NOTADB',
      'store_corrupt',
      'is not a database. Restore it from a backup or move it away',
    ],
    ['SQLITE_CORRUPT', 'store_corrupt', 'is damaged. Restore it from a backup or move it away'],
    [
      'SQLITE_BUSY',
      'store_locked',
      'is locked by another process. Close that process and try again',
    ],
    [
      'SQLITE_LOCKED',
      'store_locked',
      'is locked by another process. Close that process and try again',
    ],
    ['SQLITE_FULL', 'store_full', 'cannot grow: the disk is full. Free some space and try again'],
    [
      'SQLITE_READONLY',
      'store_unwritable',
      'cannot be written. Check the permissions of its folder',
    ],
    [
      'SQLITE_CANTOPEN',
      'store_unwritable',
      'cannot be opened. Check that its folder exists and is writable',
    ],
    ['SQLITE_IOERR', 'store_unwritable', 'cannot be read or written. Check the disk'],
  ];

function rowOf(error: unknown) {
  const code = systemCode(error);
  return BY_DRIVER_CODE.find(([prefix]) => code?.startsWith(prefix) === true);
}

/** True for an error of the driver that speaks of the store's file, not of a statement. */
export function isStoreFault(error: unknown): boolean {
  return rowOf(error) !== undefined;
}

/** Says in words what the driver's error means; other errors pass through. */
export function toStoreError(name: string, error: unknown): unknown {
  const row = rowOf(error);
  return row === undefined
    ? error
    : new StoreError(row[1], `The ${name} database ${row[2]}.`, error);
}
