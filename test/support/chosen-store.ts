// The one switch between the stores of a service under test. In the vitest project `postgres` it is a
// database of the run's server, else a file or memory. Processes that a test starts see the same.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import {
  DATABASE_SETTINGS,
  databaseAddress,
  type ExternalDatabase,
  externalDatabase,
} from '../../server/contract/database.ts';
import { readSettings } from '../../server/contract/settings.ts';
import { openPostgres } from '../../server/store/open-postgres.ts';
import { connectionOptions } from '../../server/store/postgres-pool.ts';
import { databasesOf, type PostgresOwner } from './postgres-server.ts';

const GROUP = { title: 'tests', prefix: 'T_', alias: undefined, settings: DATABASE_SETTINGS };
/**
 * One service of a test holds few connections, and many services run at once. Limits are for what never
 * comes, not for a machine with other work.
 */
const SETTINGS = {
  DATABASE_POOL_MAX: '5',
  DATABASE_IDLE_TIMEOUT_SECONDS: '2',
  DATABASE_CONNECT_TIMEOUT_SECONDS: '60',
  DATABASE_STATEMENT_TIMEOUT_SECONDS: '120',
};

/** Holds the server that services of the tests use; test/support/postgres-worker.ts sets it. */
const SERVER_VARIABLE = 'SPECWRIGHT_TEST_POSTGRES';

/** True when services keep their state in PostgreSQL. */
export const onPostgres = process.env[SERVER_VARIABLE] !== undefined;

function server() {
  const owner: PostgresOwner = JSON.parse(process.env[SERVER_VARIABLE] ?? 'null');
  return databasesOf(owner);
}

/** The same database behind the pooler of the run's server, where the run has one. */
function throughPooler(
  url: string,
  settings: Readonly<Record<string, string>>,
): [url: string, settings: Readonly<Record<string, string>>] {
  const { port, pooler }: Partial<PostgresOwner> = JSON.parse(process.env[SERVER_VARIABLE] ?? '{}');
  if (pooler === undefined) return [url, settings];
  return [url.replace(`:${port}/`, `:${pooler}/`), { ...settings, DATABASE_POOLER: 'true' }];
}

/** How a service is told of a database; settings are named as after a service's prefix. */
export function externalAt(
  given: string,
  asked: Readonly<Record<string, string>> = SETTINGS,
): ExternalDatabase {
  const [url, settings] = throughPooler(given, asked);
  const named = Object.entries(settings).map(([name, value]) => [`T_${name}`, value]);
  const external = externalDatabase(
    databaseAddress.schema.parse(url),
    readSettings(GROUP, Object.fromEntries(named)),
  );
  if (external === undefined) throw new Error('a database of the tests has an address');
  return external;
}

/** What a test reads of a store. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export type StoredRow = Record<string, any>;

async function askPostgres(
  external: ExternalDatabase,
  statement: string,
  values: readonly unknown[],
): Promise<StoredRow[]> {
  const client = new pg.Client(connectionOptions(external));
  await client.connect();
  try {
    let place = 0;
    const { rows } = await client.query(
      statement.replaceAll('?', () => {
        place += 1;
        return `$${place}`;
      }),
      [...values],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Runs one statement of a test on a store, beside the service that has it, and answers its rows. Values
 * stand for each `?`, in every store.
 */
export async function askStore(
  store: string | ExternalDatabase,
  statement: string,
  ...values: readonly unknown[]
): Promise<StoredRow[]> {
  if (typeof store !== 'string') return askPostgres(store, statement, values);
  const db = new BetterSqlite3(store);
  try {
    const prepared = db.prepare<unknown[], StoredRow>(statement);
    if (prepared.reader) return prepared.all(...values);
    prepared.run(...values);
    return [];
  } finally {
    db.close();
  }
}

type StoreName = Parameters<typeof openPostgres>[0]['name'];

const NOBODY_ELSE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`;
/** All that a test may have changed beside rows. */
const SHAPE = `SELECT concat(
  (SELECT string_agg(concat(table_name, column_name, data_type), ',' ORDER BY table_name, ordinal_position)
    FROM information_schema.columns WHERE table_schema = current_schema()),
  (SELECT string_agg(tgname, ',' ORDER BY tgname) FROM pg_trigger WHERE NOT tgisinternal),
  (SELECT string_agg(version::text, ',' ORDER BY version) FROM schema_migrations)) AS shape`;
const TABLES = `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
  WHERE schemaname = current_schema() AND tablename NOT LIKE 'schema_migrations%'`;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(externalAt(url)));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const shapeOf = (url: string): Promise<string | undefined> =>
  withClient(url, async (client) => (await client.query(SHAPE)).rows[0]?.shape).catch(
    // No ledger: no service has ever opened it.
    () => undefined,
  );

/** Databases without rows that have the tables of one store. */
class SpareDatabases {
  readonly #store: StoreName;
  readonly #spare: string[] = [];
  #shape: Promise<string | undefined> | undefined;

  constructor(store: StoreName) {
    this.#store = store;
  }

  async #fresh(): Promise<string | undefined> {
    const url = await server().createDatabase();
    const store = await openPostgres({
      name: this.#store,
      external: externalAt(url),
      migrations: fileURLToPath(new URL(`../../migrations/${this.#store}`, import.meta.url)),
      now: () => 0,
    });
    await store.close();
    this.#spare.push(url);
    return shapeOf(url);
  }

  take(): string | undefined {
    return this.#spare.pop();
  }

  /** Takes every row out of it, which is far faster than to make and migrate another; false when it is changed. */
  async giveBack(url: string): Promise<boolean> {
    this.#shape ??= this.#fresh();
    const shape = await shapeOf(url);
    if (shape === undefined || shape !== (await this.#shape)) return false;
    await withClient(url, async (client) => {
      await client.query(NOBODY_ELSE);
      const { names } = (await client.query(TABLES)).rows[0];
      await client.query(`TRUNCATE ${names} RESTART IDENTITY`);
    });
    this.#spare.push(url);
    return true;
  }
}

const spare: Readonly<Record<StoreName, SpareDatabases>> = {
  platform: new SpareDatabases('platform'),
  dashboard: new SpareDatabases('dashboard'),
  studio: new SpareDatabases('studio'),
};

/** Other processes of a test find the database of the same file. */
async function databaseOf(file: string): Promise<string> {
  if (file === ':memory:') return server().createDatabase();
  return server().namedDatabase(createHash('sha256').update(file).digest('hex').slice(0, 32));
}

/** The databases that stand for the files of a test: the same for the same file. */
export class TestDatabases {
  readonly #made = new Map<string, Promise<string>>();
  readonly #store: StoreName;
  #unnamed = 0;

  /** `store` tells whose tables they get. */
  constructor(store: StoreName) {
    this.#store = store;
  }

  /** The database that stands for a file; a new one for each store in memory. */
  of(file: string): Promise<string> {
    this.#unnamed += 1;
    const name = file === ':memory:' ? `memory ${this.#unnamed}` : file;
    const known =
      this.#made.get(name) ?? (this.#store === 'platform' ? databaseOf(file) : this.#one());
    this.#made.set(name, known);
    return known;
  }

  async #one(): Promise<string> {
    return spare[this.#store].take() ?? server().createDatabase();
  }

  /** Ends their use: they are emptied for the next, or removed. */
  async drop(): Promise<void> {
    const made = [...this.#made.values()];
    this.#made.clear();
    for (const one of made) {
      const url = await one;
      if (!(await spare[this.#store].giveBack(url))) await server().dropDatabase(url);
    }
  }
}

/** Those of the platforms of this process; the end of the run takes them along. */
export const databases = new TestDatabases('platform');
