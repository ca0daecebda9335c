import type { Pool, QueryConfig } from 'pg';
import { systemCode } from '../kernel/system-code.ts';
import { toPostgresError } from './postgres-error.ts';

/** Who has no answer by then is told that there is none. */
const LIMIT_MS = 3_000;
const READ_ONLY = "SELECT current_setting('transaction_read_only') AS value";
/**
 * Some hundred kilobytes that do not fit the memory allowed to them, and so go to a file beside the
 * tables for a moment: writes within pages that are there succeed on a full disk for long.
 */
const GROWS = `SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';
  SELECT count(*) FROM generate_series(1, 20000); ${READ_ONLY}`;
const DISK_FULL = '53100';
/** A database that speaks PostgreSQL and knows none of these settings. */
const UNKNOWN = /^(?:0A|22|42)/;

interface Answered {
  readonly rows: readonly { readonly value?: string }[];
}

async function lastAnswer(pool: Pool, text: string): Promise<Answered | undefined> {
  // A connection that is cut is given up then, and keeps nobody waiting.
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: LIMIT_MS };
  const answered: Answered | readonly Answered[] = await pool.query(query);
  return Array.isArray(answered) ? answered.at(-1) : answered;
}

async function takesWrites(pool: Pool): Promise<boolean> {
  const ask = async (text: string): Promise<boolean> =>
    (await lastAnswer(pool, text))?.rows[0]?.value === 'off';
  try {
    return await ask(GROWS);
  } catch (error) {
    const code = systemCode(toPostgresError(error)) ?? '';
    if (code === DISK_FULL) return false;
    if (UNKNOWN.test(code)) return ask(READ_ONLY);
    throw error;
  }
}

/**
 * Whether an external database answers and takes writes: its disk has room, and it does not only
 * follow another. The answer comes within three seconds, whatever is between here and there.
 */
export async function hasPostgresRoom(pool: Pool): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), LIMIT_MS);
  try {
    return await Promise.race([takesWrites(pool).catch(() => false), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
