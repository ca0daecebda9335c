import { Client, type ClientConfig, type CustomTypesConfig, types } from 'pg';
import type { ExternalDatabase } from '../../contract/database.ts';
import { PostgresError, toPostgresError } from '../postgres-error.ts';
import { connectionOptions } from '../postgres-pool.ts';
import { encodeText } from '../postgres-text.ts';
import { StoreError } from '../store-error.ts';
import type {
  Column,
  ColumnKind,
  CopiedTable,
  Reading,
  Relation,
  StoredRow,
  StoredValue,
} from './copied-table.ts';
import {
  Batcher,
  type CopySource,
  type CopyTarget,
  LIFTED_NOTE,
  quoted,
  type RowBatch,
  SOURCE_NOTE,
  selectText,
} from './copy-side.ts';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  numeric: 'integer',
  'double precision': 'real',
  bytea: 'blob',
};

const WHOLE_NUMBERS: ReadonlySet<number> = new Set([
  types.builtins.INT8,
  types.builtins.INT4,
  types.builtins.NUMERIC,
]);
/** Rows of one fetch; a row may hold a megabyte. */
const FETCH_ROWS = 100;
/** Values that one statement takes at most. */
const MOST_VALUES = 60_000;
const BROKEN_REFERENCE = '23503';

/** As connections of a service are, but for whole numbers, which are given whole, and without a limit of time. */
function clientConfig(external: ExternalDatabase): ClientConfig {
  const options = connectionOptions({ ...external, statementTimeoutMs: 0 });
  const getTypeParser = ((type: number, format?: 'text' | 'binary') =>
    WHOLE_NUMBERS.has(type)
      ? BigInt
      : options.types.getTypeParser(type, format as 'text')) as CustomTypesConfig['getTypeParser'];
  return { ...options, types: { getTypeParser } };
}

function bound(value: StoredValue): unknown {
  if (typeof value === 'string') return encodeText(value);
  return typeof value === 'bigint' ? value.toString() : value;
}

function isBrokenReference(error: unknown): boolean {
  return error instanceof PostgresError && error.code === BROKEN_REFERENCE;
}

class Connection {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    // Whoever waits for a statement is told by its rejection.
    client.on('error', () => undefined);
  }

  async run(text: string, values: readonly unknown[] = []): Promise<StoredRow[]> {
    try {
      const { rows } = await this.#client.query<StoredValue[]>({
        text,
        values: [...values],
        rowMode: 'array',
      });
      return rows;
    } catch (error) {
      throw toPostgresError(error);
    }
  }

  async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run('BEGIN');
    try {
      const result = await work();
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#client.end();
  }
}

async function connect(external: ExternalDatabase): Promise<Connection> {
  const client = new Client(clientConfig(external));
  try {
    await client.connect();
  } catch (error) {
    throw toPostgresError(error);
  }
  return new Connection(client);
}

const COLUMNS = `SELECT c.relname, c.relkind::text, a.attname, format_type(a.atttypid, NULL),
    NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '',
    coalesce(array_position(k.conkey, a.attnum), 0)
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v')
    AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.relname, a.attnum`;
const VIEW_TABLES = `SELECT view_name::text, table_name::text FROM information_schema.view_table_usage
  WHERE view_schema = current_schema()`;

interface ColumnFact {
  readonly column: Column;
  readonly isView: boolean;
  /** Its place in the primary key; 0 = none. */
  readonly keyPlace: number;
}

async function columnFacts(connection: Connection): Promise<Map<string, ColumnFact[]>> {
  const facts = new Map<string, ColumnFact[]>();
  for (const row of await connection.run(COLUMNS)) {
    const [relation, kind, name, type] = row.map(String);
    const [, , , , optional, place] = row as unknown[];
    const isView = kind === 'v';
    const keyPlace = Number(place);
    const column: Column = {
      name: name ?? '',
      kind: KINDS[type ?? ''] ?? 'text',
      hasDefault: keyPlace === 0 && (optional === true || isView),
    };
    const known = facts.get(relation ?? '') ?? [];
    facts.set(relation ?? '', [...known, { column, isView, keyPlace }]);
  }
  return facts;
}

async function relationsOf(connection: Connection): Promise<Relation[]> {
  const facts = await columnFacts(connection);
  const usage = (await connection.run(VIEW_TABLES)).map((row) => row.map(String));
  return [...facts].map(([name, columns]): Relation => {
    const key = columns.filter(({ keyPlace }) => keyPlace > 0);
    return {
      name,
      isView: columns.some(({ isView }) => isView),
      columns: columns.map(({ column }) => column),
      key: key.toSorted((a, b) => a.keyPlace - b.keyPlace).map(({ column }) => column.name),
      over: usage.flatMap(([view, table]) => (view === name && table !== undefined ? [table] : [])),
      rowNumber: columns.some(({ column }) => column.name === 'rowid') ? 'rowid' : undefined,
    };
  });
}

async function* readRows(
  connection: Connection,
  reading: Reading,
  after: StoredRow | undefined,
): AsyncGenerator<RowBatch> {
  const select = selectText(reading, after !== undefined, (number) => `$${number}`);
  await connection.run(`DECLARE read NO SCROLL CURSOR FOR ${select}`, (after ?? []).map(bound));
  const width = reading.columns.length;
  const batcher = new Batcher();
  for (;;) {
    const rows = await connection.run(`FETCH ${FETCH_ROWS} FROM read`);
    for (const all of rows) {
      if (!batcher.add(all.slice(0, width), all.slice(width))) continue;
      const batch = batcher.take();
      if (batch !== undefined) yield batch;
    }
    if (rows.length < FETCH_ROWS) break;
  }
  const rest = batcher.take();
  if (rest !== undefined) yield rest;
  await connection.run('CLOSE read');
}

const COUNTERS = `SELECT c.relname::text, s.last_value
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
  JOIN pg_sequences s ON s.schemaname = current_schema()
    AND format('%I.%I', s.schemaname, s.sequencename)
      = pg_get_serial_sequence(quote_ident(c.relname), a.attname)
  WHERE c.relnamespace = current_schema()::regnamespace AND a.attname <> 'rowid'
    AND s.last_value IS NOT NULL`;

async function countersOf(connection: Connection): Promise<ReadonlyMap<string, bigint>> {
  const rows = await connection.run(COUNTERS);
  return new Map(rows.map(([table, value]) => [String(table), BigInt(String(value))]));
}

/** A store in an external database, as it is at this moment; nothing can be written through it. */
export async function copySourceOfPostgres(external: ExternalDatabase): Promise<CopySource> {
  const connection = await connect(external);
  try {
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      relations: await relationsOf(connection),
      read: (reading, after) => readRows(connection, reading, after),
      counters: () => countersOf(connection),
      close: () => connection.end(),
    };
  } catch (error) {
    await connection.end();
    throw error;
  }
}

const REFERENCES = `SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;
const TRIGGERED = `SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace`;
const NUMBERED = `SELECT c.relname::text, a.attname::text,
    pg_get_serial_sequence(quote_ident(c.relname), a.attname)
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
  WHERE c.relnamespace = current_schema()::regnamespace AND a.attname <> 'rowid'`;

class PostgresTarget implements CopyTarget {
  readonly #connection: Connection;
  readonly relations: readonly Relation[];

  constructor(connection: Connection, relations: readonly Relation[]) {
    this.#connection = connection;
    this.relations = relations;
  }

  async *read(reading: Reading, after?: StoredRow): AsyncGenerator<RowBatch> {
    await this.#connection.run('BEGIN READ ONLY');
    try {
      yield* readRows(this.#connection, reading, after);
    } finally {
      await this.#connection.run('ROLLBACK');
    }
  }

  counters(): Promise<ReadonlyMap<string, bigint>> {
    return countersOf(this.#connection);
  }

  async note(name: string): Promise<string | undefined> {
    const [[table] = []] = await this.#connection.run("SELECT to_regclass('store_copy')::text");
    if (typeof table !== 'string') return undefined;
    const [[value] = []] = await this.#connection.run(
      'SELECT value FROM store_copy WHERE name = $1',
      [name],
    );
    return typeof value === 'string' ? value : undefined;
  }

  async #keep(name: string, value: string): Promise<void> {
    await this.#connection.run(
      'INSERT INTO store_copy (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, encodeText(value)],
    );
  }

  /** References are taken away and made again, since only a superuser may leave them unchecked. */
  async begin(source: string): Promise<void> {
    const connection = this.#connection;
    await connection.inTransaction(async () => {
      await connection.run('CREATE TABLE store_copy (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
      const lifted: string[] = [];
      for (const [table, name, definition] of await connection.run(REFERENCES)) {
        await connection.run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
        lifted.push(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      }
      for (const [table] of await connection.run(TRIGGERED)) {
        await connection.run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
        lifted.push(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      }
      await this.#keep(LIFTED_NOTE, JSON.stringify(lifted));
      await this.#keep(SOURCE_NOTE, source);
    });
  }

  async #insert({ into, columns }: CopiedTable, rows: readonly StoredRow[]): Promise<void> {
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const most = Math.max(1, Math.floor(MOST_VALUES / columns.length));
    for (let from = 0; from < rows.length; from += most) {
      const part = rows.slice(from, from + most);
      const places = part.map(
        (_row, at) =>
          `(${columns.map((_column, index) => `$${at * columns.length + index + 1}`).join(', ')})`,
      );
      await this.#connection.run(
        `INSERT INTO ${quoted(into)} (${names}) VALUES ${places.join(', ')}`,
        part.flatMap((row) => row.map(bound)),
      );
    }
  }

  async write(
    table: CopiedTable,
    rows: readonly StoredRow[],
    progress: { readonly name: string; readonly text: string },
  ): Promise<void> {
    await this.#connection.inTransaction(async () => {
      await this.#insert(table, rows);
      await this.#keep(progress.name, progress.text);
    });
  }

  async finish(counters: ReadonlyMap<string, bigint>): Promise<void> {
    const connection = this.#connection;
    const lifted: string[] = JSON.parse((await this.note(LIFTED_NOTE)) ?? '[]');
    await connection.inTransaction(async () => {
      for (const statement of lifted) await this.#putBack(statement);
      for (const [table, column, sequence] of await connection.run(NUMBERED)) {
        const least = String(counters.get(String(table)) ?? 0n);
        await connection.run(
          `SELECT setval($1::regclass, greatest($2::bigint, max(${quoted(String(column))})))
           FROM ${quoted(String(table))} HAVING greatest($2::bigint, max(${quoted(String(column))})) > 0`,
          [sequence, least],
        );
      }
      await connection.run('DROP TABLE store_copy');
    });
  }

  async #putBack(statement: string): Promise<void> {
    try {
      await this.#connection.run(statement);
    } catch (error) {
      if (!isBrokenReference(error)) throw error;
      throw new StoreError(
        'copy_differs',
        'Rows refer to rows that the source does not hold. Nothing was put in place.',
        error,
      );
    }
  }

  close = (): Promise<void> => this.#connection.end();
}

/** A store in an external database that is to be filled. */
export async function copyTargetOfPostgres(external: ExternalDatabase): Promise<CopyTarget> {
  const connection = await connect(external);
  try {
    return new PostgresTarget(connection, await relationsOf(connection));
  } catch (error) {
    await connection.end();
    throw error;
  }
}
