// What holds on connections that a thread waits for.

/**
 * Who meets rows that others hold for long is refused, as by a busy store; a transaction whose owner is
 * gone without a word ends, so that nobody waits for its rows.
 */
export const LIMITS = { lock_timeout: 2_000, idle_in_transaction_session_timeout: 15_000 };

/**
 * Statements here are few, find their rows by an index, and are executed again and again: they are
 * planned once, also while nothing is known of how full the tables are.
 */
export const PLANNING =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off';

/** Both for one transaction, where a connection is another's afterwards. */
export const FOR_ONE_TRANSACTION = `SELECT ${[
  ...Object.entries(LIMITS),
  ...[['enable_seqscan', 'off'] as const, ['jit', 'off'] as const],
]
  .map(([name, value]) => `set_config('${name}', '${value}', TRUE)`)
  .join(', ')}`;
