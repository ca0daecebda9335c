import type BetterSqlite3 from 'better-sqlite3';
import { sameJson } from '../../kernel/same-json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { CapabilityMap } from '../access/capabilities.ts';
import { listSettingTexts, overwriteSetting } from '../settings/settings-repository.ts';
import { greatest, readGeneration, storeHistory, writeGeneration } from './generation.ts';
import {
  findRecovery,
  insertRecovery,
  type RecoveryMarker,
  removeSessions,
} from './recovery-repository.ts';
import { writeAtOnce } from './writes-sqlite.ts';

/** The dashboard's store as the recovery words need it. */
export interface RecoveryStore {
  readonly sqlite: BetterSqlite3.Database;
  /** A file or `:memory:`; only a file can have been put back. */
  readonly databaseFile: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

const RESTORED = 'The store was put back from a copy.';
const LOCKDOWN: CapabilityMap = { viewer: [], operator: [], admin: ['settings.write'] };

/** The operator's name in rows that recovery writes. */
export const RECOVERY_OPERATOR = 'recovery';

/**
 * Locks the dashboard down (contract/dashboard.md 16): the marker first, so that nothing is served
 * from here on, then no session and hardly a capability. Entering again changes nothing.
 */
export function enterRecovery(store: RecoveryStore, reason: string): RecoveryMarker {
  const { sqlite } = store;
  const marker: RecoveryMarker = { entered_at: toTimestamp(store.now()), reason };
  insertRecovery(sqlite, marker);
  writeAtOnce(sqlite, () => {
    removeSessions(sqlite);
    overwriteSetting(sqlite, {
      namespace: 'access',
      key: 'default',
      value: { viewer: [], operator: [], admin: [...LOCKDOWN.admin] },
      operator: RECOVERY_OPERATOR,
      now: marker.entered_at,
    });
  });
  return findRecovery(sqlite) ?? marker;
}

function isRestored({ sqlite, databaseFile }: RecoveryStore): boolean {
  if (databaseFile === ':memory:') return false;
  return storeHistory(readGeneration(sqlite, databaseFile)) === 'restored';
}

/** The marker of a store that is locked down; a store that was put back is locked down by the look. */
export function checkRecovery(store: RecoveryStore): RecoveryMarker | undefined {
  const known = findRecovery(store.sqlite);
  if (known !== undefined) return known;
  return isRestored(store) ? enterRecovery(store, RESTORED) : undefined;
}

/** At the start of the service: locks a store down that was put back, and counts the start of any other. */
export function guardStart(store: RecoveryStore): RecoveryMarker | undefined {
  const { sqlite, databaseFile } = store;
  if (databaseFile === ':memory:') return findRecovery(sqlite);
  if (isRestored(store)) return enterRecovery(store, RESTORED);
  const next = greatest(readGeneration(sqlite, databaseFile)) + 1;
  writeGeneration(sqlite, databaseFile, next, toTimestamp(store.now()));
  return findRecovery(sqlite);
}

/** Makes both counters agree again, without counting a start. */
export function realignGeneration(store: RecoveryStore): void {
  const { sqlite, databaseFile } = store;
  if (databaseFile === ':memory:') return;
  const n = Math.max(greatest(readGeneration(sqlite, databaseFile)), 1);
  writeGeneration(sqlite, databaseFile, n, toTimestamp(store.now()));
}

function accessIn(sqlite: BetterSqlite3.Database) {
  return listSettingTexts(sqlite, 'access');
}

/**
 * Before the copy of a migration is put back: where it says who may do what as the store does, it
 * counts as the one that was last served, without its old sessions. Otherwise it stays as it is, and
 * the dashboard that opens it locks itself down; false then.
 */
export function readmitCopy(copy: RecoveryStore, store: RecoveryStore): boolean {
  if (!sameJson(accessIn(copy.sqlite), accessIn(store.sqlite))) return false;
  if (findRecovery(store.sqlite) !== undefined) return false;
  removeSessions(copy.sqlite);
  realignGeneration({ ...copy, databaseFile: store.databaseFile });
  return true;
}
