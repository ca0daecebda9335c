import { chmodSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { StoreError, toStoreError } from './store-error.ts';

/**
 * Copies a store as it is at this moment, also while services write to it, and checks the copy.
 * Answers its bytes. @throws StoreError `store_corrupt`
 */
export function copyStore(name: string, file: string, copy: string): number {
  const store = new BetterSqlite3(file, { fileMustExist: true });
  try {
    store.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    throw toStoreError(name, error);
  } finally {
    store.close();
  }
  chmodSync(copy, 0o600);
  const made = new BetterSqlite3(copy, { fileMustExist: true, readonly: true });
  try {
    if (made.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      throw new StoreError('store_corrupt', `The ${name} database is damaged; no copy was made.`);
    }
  } finally {
    made.close();
  }
  return statSync(copy).size;
}
