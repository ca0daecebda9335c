import { systemCode } from '../kernel/system-code.ts';
import { StoreError } from './store-error.ts';

/** Of a connection that could not be made or was lost; the driver has no SQLSTATE for it. */
const UNREACHABLE = 'STORE_UNREACHABLE';
/** Of a pooler that is given a setting of a connection which it does not know. */
const UNKNOWN_SETTING = '08P01';
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** A statement was planned before another program changed its table. */
const STALE_PLAN = 'STORE_STALE_PLAN';
/** Something was in the way: the same work may succeed when it is done again. */
const AGAIN = new Set(['40001', '40P01', STALE_PLAN]);
/** The server's function that says so; its code is also that of what is not built there. */
const PLAN_ROUTINE = 'RevalidateCachedQuery';

/**
 * A failure of an external database. What the driver knows beside code and message (values of rows,
 * parts of statements, the address) is dropped, so that no log can show it.
 */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  /** SQLSTATE, `STORE_UNREACHABLE` or `STORE_STALE_PLAN`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function isPlanFailure(error: Error): boolean {
  return 'routine' in error && error.routine === PLAN_ROUTINE;
}

/** True where a statement has to be prepared anew, since its table has other columns now. */
export function isStalePlan(error: unknown): boolean {
  return systemCode(error) === STALE_PLAN;
}

/** What the driver's failure is to the program. */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof PostgresError || !(error instanceof Error)) return error;
  const code = systemCode(error);
  if (isPlanFailure(error)) return new PostgresError(STALE_PLAN, error.message);
  if (code !== undefined && SQL_STATE.test(code)) return new PostgresError(code, error.message);
  if (error instanceof TypeError) return error;
  return new PostgresError(UNREACHABLE, 'the connection to the database was lost or not made');
}

/** True when there was no answer: the connection was lost, not made, or waits for ever. */
export function isUnreachable(error: unknown): boolean {
  return systemCode(error) === UNREACHABLE;
}

/** True when work failed only because other work came in between. */
export function mustRepeat(error: unknown): boolean {
  return AGAIN.has(systemCode(error) ?? '');
}

const BY_STATE: readonly (readonly [
  prefix: string,
  code: 'store_denied' | 'store_full' | 'store_unreachable',
  advice: string,
])[] = [
  [
    '28',
    'store_denied',
    'does not let this service sign in. Check user and password of its address',
  ],
  ['3D000', 'store_denied', 'does not exist on its server. Create it, or name another one'],
  [
    '42501',
    'store_denied',
    'does not let its user make or use tables. Make the user the owner of the database and of ' +
      'every table in it',
  ],
  ['53100', 'store_full', 'cannot grow: its disk is full. Free some space and try again'],
  ['53', 'store_unreachable', 'has no room for another connection. Lower the pools of its clients'],
  ['57P', 'store_unreachable', 'starts or stops right now. Try again in a moment'],
  ['08', 'store_unreachable', 'cannot be reached. Check its address and that its server runs'],
  [
    UNREACHABLE,
    'store_unreachable',
    'cannot be reached, or its certificate is not trusted. Check its address, its TLS settings ' +
      'and that its server runs',
  ],
];

/** What to say where a pooler answers, and the settings speak of none. */
export function unnamedPooler(name: string): StoreError {
  return new StoreError(
    'store_unsupported',
    `The ${name} database is reached through a pooler. Set …_DATABASE_POOLER=true for this service, or ` +
      'give it the address of the database itself.',
  );
}

/** Says in words why an external database could not be opened; other errors pass through. */
export function toOpenError(name: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const known = toPostgresError(error);
  const code = known instanceof PostgresError ? known.code : '';
  if (code === UNKNOWN_SETTING) return unnamedPooler(name);
  const row = BY_STATE.find(([prefix]) => code.startsWith(prefix));
  if (row === undefined) return known;
  return new StoreError(row[1], `The ${name} database ${row[2]}.`, known);
}
