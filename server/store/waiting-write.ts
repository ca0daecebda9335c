/** A write that waits for the transaction which it shares with others. */
export interface WaitingWrite {
  /** Runs the write; the result is kept until the commit. */
  run(): void;
  /** Hands the result on, after the commit. */
  commit(): void;
  fail(error: unknown): void;
}

/** A write whose promise settles after its commit. */
export function waitingWrite<T>(write: () => T, settled: PromiseWithResolvers<T>): WaitingWrite {
  let result: { readonly value: T } | undefined;
  return {
    run() {
      result = { value: write() };
    },
    commit() {
      if (result === undefined)
        settled.reject(new TypeError('a write was committed before it ran'));
      else settled.resolve(result.value);
    },
    fail: (error) => settled.reject(error),
  };
}
