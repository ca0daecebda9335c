/** What a list operation was asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** One page and the true count of all matches. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}
