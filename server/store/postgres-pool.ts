import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { type CustomTypesConfig, Pool, types } from 'pg';
import type { DatabaseAddress, ExternalDatabase } from '../contract/database.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { decodeText } from './postgres-text.ts';

/** The client's own limit comes after the server's, whose word says more. */
const GRACE_MS = 5_000;
/** A connection on which nothing happens for so long is probed; one that is dead is noticed soon after. */
const PROBED_AFTER_MS = 10_000;

/** Whole numbers of 64 bits, as counts are, and sums of them. */
const NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);
const TEXTS: ReadonlySet<number> = new Set([types.builtins.TEXT, types.builtins.VARCHAR]);

/** Values as the store that is a file gives them: numbers are numbers, texts are whole. */
const VALUES = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') => {
    if (NUMBERS.has(type)) return Number;
    if (TEXTS.has(type)) return decodeText;
    return types.getTypeParser(type, format as 'text');
  }) as CustomTypesConfig['getTypeParser'],
};

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new StartRefusal(
      'The file of authorities of the database (…DATABASE_CA_FILE) cannot be read.',
    );
  }
}

/** How far the server's certificate is checked. */
function tlsOf({ ssl, host }: DatabaseAddress, caFile: string | undefined) {
  if (ssl === 'disable') return false;
  const options: ConnectionOptions = {
    host,
    ...(caFile === undefined ? {} : { ca: readAuthorities(caFile) }),
  };
  if (ssl === 'verify-full') return options;
  // Who names authorities wants them asked, as PostgreSQL's own programs do.
  if (ssl === 'require' && caFile === undefined) return { ...options, rejectUnauthorized: false };
  return { ...options, checkServerIdentity: () => undefined };
}

/** What a connection to an external database is made with, for a pool or for one client. */
export function connectionOptions(external: ExternalDatabase) {
  const { address, statementTimeoutMs, connectTimeoutMs, keepAlive, pooler } = external;
  const { host, port, database, user, password } = address;
  return {
    ...{ host, port, database, user, keepAlive, types: VALUES },
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    // Not a plain value: nothing that prints a pool prints it.
    password: () => password,
    ssl: tlsOf(address, external.caFile),
    application_name: 'specwright',
    connectionTimeoutMillis: connectTimeoutMs,
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: statementTimeoutMs + GRACE_MS }),
    // A pooler knows no such settings of a connection.
    ...(statementTimeoutMs === 0 || pooler ? {} : { statement_timeout: statementTimeoutMs }),
  };
}

/**
 * Connections to an external database; the first is made when it is asked for. `lost` is told of one
 * that broke while nobody used it.
 * @throws StartRefusal for a file of authorities that cannot be read.
 */
export function openPool(external: ExternalDatabase, lost: () => void): Pool {
  const pool = new Pool({
    ...connectionOptions(external),
    max: external.poolMax,
    min: external.poolMin,
    idleTimeoutMillis: external.idleTimeoutMs,
  });
  pool.on('error', lost);
  // A connection that breaks between two statements of a transaction: the next of them is refused and
  // says so; without anybody who listens, the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
