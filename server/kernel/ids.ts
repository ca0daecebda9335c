/** Identifiers as a dependency, so that a run or an import can be replayed exactly. */
export interface Ids {
  /** A UUID version 4 (platform ids). */
  uuid(): string;
  /** 32 lowercase hex characters (studio and dashboard ids). */
  hex(): string;
}
