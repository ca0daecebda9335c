// The one switch between the stores of a service under test. In the vitest project `postgres` it is a
// database of the run's server, else a file or memory. Processes that a test starts see the same.
import {
  DATABASE_SETTINGS,
  databaseAddress,
  type ExternalDatabase,
  externalDatabase,
} from '../../server/contract/database.ts';
import { readSettings } from '../../server/contract/settings.ts';
import { databasesOf, type PostgresOwner } from './postgres-server.ts';

const GROUP = { title: 'tests', prefix: 'T_', alias: undefined, settings: DATABASE_SETTINGS };
/**
 * One service of a test holds few connections, and many services run at once. Limits are for what never
 * comes, not for a machine with other work.
 */
const SETTINGS = {
  T_DATABASE_POOL_MAX: '5',
  T_DATABASE_IDLE_TIMEOUT_SECONDS: '2',
  T_DATABASE_CONNECT_TIMEOUT_SECONDS: '60',
  T_DATABASE_STATEMENT_TIMEOUT_SECONDS: '120',
};

/** Holds the server that services of the tests use; test/support/postgres-worker.ts sets it. */
const SERVER_VARIABLE = 'SPECWRIGHT_TEST_POSTGRES';

/** True when services keep their state in PostgreSQL. */
export const onPostgres = process.env[SERVER_VARIABLE] !== undefined;

function server() {
  const owner: PostgresOwner = JSON.parse(process.env[SERVER_VARIABLE] ?? 'null');
  return databasesOf(owner);
}

/** How a service is told of a database. */
export function externalAt(url: string): ExternalDatabase {
  const external = externalDatabase(
    databaseAddress.schema.parse(url),
    readSettings(GROUP, SETTINGS),
  );
  if (external === undefined) throw new Error('a database of the tests has an address');
  return external;
}

/** The databases that stand for the files of a test: the same for the same file. */
export class TestDatabases {
  readonly #made = new Map<string, Promise<string>>();
  #unnamed = 0;

  /** The database that stands for a file; a new one for each store in memory. */
  of(file: string): Promise<string> {
    this.#unnamed += 1;
    const name = file === ':memory:' ? `memory ${this.#unnamed}` : file;
    const known = this.#made.get(name) ?? server().createDatabase();
    this.#made.set(name, known);
    return known;
  }

  /** Removes all of them. */
  async drop(): Promise<void> {
    const made = [...this.#made.values()];
    this.#made.clear();
    for (const url of made) await server().dropDatabase(await url);
  }
}
