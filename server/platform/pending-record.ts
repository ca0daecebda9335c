/** Whose key it is, and for which operation. */
export interface IdempotencyIdentity {
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

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
