// How an entry is chosen in PostgreSQL, where several nodes claim at once.

/**
 * Entries among which one is chosen, with their runs: both are locked, or passed over. Whoever ends a
 * run locks it before its entry, and would wait for a claim that waits for the run.
 */
export const ENTRIES = 'run_queue JOIN runs ON runs.id = run_queue.run_id';
/** One that is chosen is nobody else's until the transaction ends. */
export const CHOSEN = 'FOR NO KEY UPDATE OF run_queue, runs SKIP LOCKED';
/** Begins a claim that counts what executes: no two count at once. */
export const COUNTING: string | undefined = `INSERT INTO queue_turns (queue, turn) VALUES ('', 0)
  ON CONFLICT (queue) DO UPDATE SET turn = 0`;

/** Takes the next entry of the queue that all are in at once, where nothing but its key may limit it. */
export const takeAtOnce = (
  take: string,
  { expired, next }: { readonly expired: string; readonly next: string },
): string | undefined =>
  `${take} WHERE run_id = coalesce(CASE WHEN @expired = 1 THEN (${expired}) END, (${next})) RETURNING *`;
