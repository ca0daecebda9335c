/** How many runs may execute at once, by name; `*` stands for each name that is not listed. */
export type NamedLimits = ReadonlyMap<string, number>;

export interface ConcurrencyLimits {
  readonly queues: NamedLimits;
  readonly workflows: NamedLimits;
  readonly callers: NamedLimits;
  /** Of runs that name the same `metadata.concurrency_key`; 0 = any number. */
  readonly perKey: number;
}

/** Of runs that a request waits for and that take time. */
export interface SyncLimits {
  /** Runs at once; 0 = any number, here and below. */
  readonly runs: number;
  /** Those of them that begin with the project's own code. */
  readonly codeRuns: number;
  readonly runsPerCaller: number;
  /** How long a run waits for a place before its caller is sent away. */
  readonly waitSeconds: number;
}
