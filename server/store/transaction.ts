import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { mustRepeat } from './postgres-error.ts';

/** With the pauses between them about two seconds. */
const TRIES = 8;
const FIRST_PAUSE_MS = 10;

/** A while by chance, longer with each try, so that those who met do not meet again. */
function pause(attempt: number): Promise<void> {
  return sleep(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
}

/**
 * Runs work as one transaction that sees the store as if it ran alone. Where another node's work came
 * in between, it is done again: the work changes nothing but the store.
 */
export async function inTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!mustRepeat(error) || attempt >= TRIES) throw error;
      await pause(attempt);
    }
  }
}
