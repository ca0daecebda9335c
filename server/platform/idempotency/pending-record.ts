import type { Principal } from '../principal.ts';
import type { IdempotencyIdentity } from './idempotency-repository.ts';

/**
 * The record that an answer with an Idempotency-Key leaves (contract/platform.md 5). The operation
 * that makes the answer writes it in the same transaction as the answer's effect, so that a kill
 * cannot leave one without the other.
 */
export interface PendingRecord {
  readonly identity: IdempotencyIdentity;
  readonly scope: string;
  readonly request_hash: string;
  /** Name of the lock that the request holds. */
  readonly lock: string;
}

const PENDING = new WeakMap<Principal, PendingRecord>();

/** Notes for the request of this principal which record its answer leaves. */
export function notePendingRecord(principal: Principal, record: PendingRecord): void {
  PENDING.set(principal, record);
}

/** The record of the request in progress; null without a key. A principal belongs to one request. */
export function pendingRecordOf(principal: Principal): PendingRecord | null {
  return PENDING.get(principal) ?? null;
}
