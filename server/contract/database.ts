import { z } from 'zod';
import { StartRefusal } from '../kernel/start-refusal.ts';
import {
  flag,
  integerOf,
  type Kind,
  numberOf,
  optional,
  type Setting,
  type SettingValues,
  setting,
  text,
  wordOf,
} from './settings.ts';

/** How a connection is protected; as PostgreSQL's own programs name it. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Where a database is, and who signs in. The password is a secret: it is never shown. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `verify-full` where the address does not say and the host is another machine. */
  readonly ssl: SslMode;
}

const FORM =
  'postgres://user:password@host:port/database, with ?sslmode=disable, require, verify-ca or ' +
  'verify-full where wanted; what is special in a user or password is percent-encoded';

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]+)(?::(?<password>[^@/?#]*))?@)?(?<host>\[[0-9a-f:.]+\]|[^:@/?#,[\]]+)(?::(?<port>\d{1,5}))?\/(?<database>[^/?#]+)(?:\?sslmode=(?<ssl>[a-z-]+))?$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const POSTGRES_PORT = 5432;
const MAX_PORT = 65_535;

function readAddress(given: string): DatabaseAddress | undefined {
  const parts = ADDRESS.exec(given)?.groups;
  const host = parts?.['host']?.replace(/^\[|\]$/g, '');
  if (parts === undefined || host === undefined) return undefined;
  const port = Number(parts['port'] ?? POSTGRES_PORT);
  const said = parts['ssl'];
  const ssl =
    said === undefined ? standardMode(host) : SSL_MODES.find((mode) => mode === said.toLowerCase());
  const user = parts['user'];
  if (ssl === undefined || user === undefined || port < 1 || port > MAX_PORT) return undefined;
  try {
    return {
      ...{ host, port, ssl },
      database: decodeURIComponent(parts['database'] ?? ''),
      user: decodeURIComponent(user),
      password: decodeURIComponent(parts['password'] ?? ''),
    };
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}

function standardMode(host: string): SslMode {
  return LOOPBACK.test(host) ? 'disable' : 'verify-full';
}

/** True for a text that means to be the address of a PostgreSQL, well-formed or not. */
export function isPostgresAddress(given: string): boolean {
  return /^postgres(?:ql)?:/i.test(given);
}

/** The address of a PostgreSQL; what is wrong with one is told without its text. */
export const databaseAddress: Kind<DatabaseAddress> = {
  schema: z.string().transform((given, context): DatabaseAddress => {
    const address = readAddress(given);
    if (address !== undefined) return address;
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  }),
  form: FORM,
};

/** The one address that is set, of the two names that may give it. @throws StartRefusal when both do. */
export function oneAddress(
  names: readonly [string, string],
  given: DatabaseAddress | undefined,
  other: DatabaseAddress | undefined,
): DatabaseAddress | undefined {
  if (given !== undefined && other !== undefined) {
    throw new StartRefusal(`${names[0]} and ${names[1]} both name a database: unset one.`);
  }
  return given ?? other;
}

/** Where the lock of a migration comes from, for databases that know no advisory locks. */
const LOCK_KINDS = ['advisory', 'rows'] as const;

const seconds = numberOf({ min: 0, max: 86_400 });

/** Settings of the connections to an external database; the same for each service, after its prefix. */
export const DATABASE_SETTINGS = {
  DATABASE_CA_FILE: optional(
    text,
    'File of the authorities that vouch for the external database, as PEM.',
    'those of Node',
  ),
  DATABASE_POOL_MAX: setting(
    numberOf({ integer: true, min: 2, max: 500 }),
    10,
    'Connections to the external database at most.',
  ),
  DATABASE_POOL_MIN: setting(
    integerOf(0),
    0,
    'Connections to the external database that stay open while nothing is asked.',
  ),
  DATABASE_CONNECT_TIMEOUT_SECONDS: setting(
    numberOf({ above: 0, max: 600 }),
    5,
    'Seconds to wait for a connection to the external database.',
  ),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: setting(
    seconds,
    30,
    'Seconds that a statement may take there; 0 = any.',
  ),
  DATABASE_IDLE_TIMEOUT_SECONDS: setting(
    seconds,
    30,
    'Seconds after which a connection that is not used is closed; 0 = never.',
  ),
  DATABASE_KEEPALIVE: setting(
    flag,
    true,
    'Whether connections are kept alive, so that one that was cut is noticed.',
  ),
  DATABASE_LOCKS: setting(
    wordOf(LOCK_KINDS),
    'advisory',
    'How nodes keep apart: by advisory locks, or by locked rows where the database has none.',
  ),
  DATABASE_POOLER: setting(
    flag,
    false,
    'Whether the address is that of a pooler, such as PgBouncer, which may hand a connection on after each transaction: nothing is kept on one then.',
  ),
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** An external database with how its connections are kept. Times are milliseconds; 0 = no limit. */
export interface ExternalDatabase {
  readonly address: DatabaseAddress;
  readonly caFile: string | undefined;
  readonly poolMax: number;
  readonly poolMin: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly keepAlive: boolean;
  readonly locks: (typeof LOCK_KINDS)[number];
  /** Nothing may be kept on a connection from one transaction to the next. */
  readonly pooler: boolean;
}

/** The external database of a service; undefined where it has no address of one. */
export function externalDatabase(
  address: DatabaseAddress | undefined,
  v: SettingValues<typeof DATABASE_SETTINGS>,
): ExternalDatabase | undefined {
  if (address === undefined) return undefined;
  return {
    address,
    caFile: v.DATABASE_CA_FILE,
    poolMax: v.DATABASE_POOL_MAX,
    poolMin: Math.min(v.DATABASE_POOL_MIN, v.DATABASE_POOL_MAX),
    connectTimeoutMs: v.DATABASE_CONNECT_TIMEOUT_SECONDS * 1000,
    statementTimeoutMs: v.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1000,
    idleTimeoutMs: v.DATABASE_IDLE_TIMEOUT_SECONDS * 1000,
    keepAlive: v.DATABASE_KEEPALIVE,
    locks: v.DATABASE_LOCKS,
    pooler: v.DATABASE_POOLER,
  };
}
