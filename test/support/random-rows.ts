// Rows by chance for every table of a store, as its own schema allows them.
import type BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';

interface ColumnFact {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

interface Reference {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

type Value = string | bigint | number | Buffer | null;

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** Every character but half ones: U+0000, what stands for it in PostgreSQL, quotes, other planes. */
const wild = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.constantFrom('', '\0', '\uFFFE', '\uFFFE0\0', 'it\'s "so"', '\\N', '😀', 'ä'.repeat(50)),
  );

/** Values that a check of a column names: `kind IN ('a', 'b')`. */
function allowed(sql: string, column: string): string[] | undefined {
  const list = new RegExp(`CHECK \\(${column} IN\\s*\\(([^)]*)\\)`).exec(sql)?.[1];
  return list?.split(',').map((word) => word.trim().replaceAll("'", ''));
}

function randomValue(
  { name, type, notnull, pk }: ColumnFact,
  sql: string,
  isIndexed: boolean,
): fc.Arbitrary<Value> {
  const names = allowed(sql, name);
  const least = new RegExp(`CHECK \\(${name} > 0\\)`).test(sql) ? 1n : INT64.min;
  const only = /CHECK \(id = 1\)/.test(sql) && name === 'id' ? fc.constant(1n) : undefined;
  const kinds: Readonly<Record<string, fc.Arbitrary<Value>>> = {
    INTEGER: only ?? fc.bigInt({ min: least, max: INT64.max }),
    REAL: fc.double({ noNaN: true }).map((value) => value + 0),
    BLOB: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    // A key of an index has a limit, texts beside it have none.
    TEXT: names === undefined ? wild(isIndexed ? 40 : 4000) : fc.constantFrom(...names),
  };
  const value = kinds[type] ?? kinds['TEXT'] ?? fc.constant(null);
  return notnull === 1 || pk > 0 ? value : fc.option(value, { nil: null, freq: 4 });
}

class Filler {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #seed: number;

  constructor(sqlite: BetterSqlite3.Database, seed: number) {
    this.#sqlite = sqlite;
    this.#seed = seed;
  }

  #indexed(table: string): Set<string> {
    const columns = this.#sqlite
      .prepare<[string], { name: string | null }>(
        'SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i',
      )
      .all(table);
    return new Set(columns.flatMap(({ name }) => (name === null ? [] : [name])));
  }

  /** Rows of other tables that a reference may lead to. */
  #parents({ table, to }: Reference, all: readonly Reference[]): Value[][] {
    const columns = all.map((one) => `"${one.to}"`).join(', ');
    return this.#sqlite
      .prepare<[], Value[]>(`SELECT ${to === '' ? 'rowid' : columns} FROM "${table}"`)
      .raw(true)
      .safeIntegers(true)
      .all();
  }

  fill(table: string, rows: number): void {
    const sqlite = this.#sqlite;
    const { sql } = sqlite
      .prepare<[string], { sql: string }>('SELECT sql FROM sqlite_master WHERE name = ?')
      .get(table) ?? { sql: '' };
    const columns = sqlite
      .prepare<[string], ColumnFact>('SELECT * FROM pragma_table_info(?)')
      .all(table);
    const references = sqlite
      .prepare<[string], Reference>('SELECT * FROM pragma_foreign_key_list(?)')
      .all(table);
    const indexed = this.#indexed(table);
    const row = fc.record(
      Object.fromEntries(
        columns.map((column) => [column.name, randomValue(column, sql, indexed.has(column.name))]),
      ),
    );
    const insert = sqlite.prepare(
      `INSERT OR IGNORE INTO "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})
       VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const ids = [...new Set(references.map(({ id }) => id))];
    for (const [at, made] of fc.sample(row, { numRuns: rows, seed: this.#seed }).entries()) {
      const values: Record<string, Value> = { ...made };
      for (const id of ids) {
        const parts = references.filter((one) => one.id === id);
        const [first] = parts;
        const parents = first === undefined ? [] : this.#parents(first, parts);
        const parent = parents[(at * 7) % Math.max(parents.length, 1)];
        for (const [index, { from }] of parts.entries()) values[from] = parent?.[index] ?? null;
      }
      insert.run(...columns.map(({ name }) => values[name] ?? null));
    }
  }
}

/** Fills every table of a store, those that others refer to first. Answers how many rows there are. */
export function fillByChance(sqlite: BetterSqlite3.Database, seed: number, rows: number): number {
  const tables = sqlite
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_') && name !== 'schema_migrations');
  const filler = new Filler(sqlite, seed);
  const done = new Set<string>();
  const parentsOf = (table: string) =>
    sqlite
      .prepare<[string], { table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((one) => one.table)
      .filter((parent) => parent !== table);
  while (done.size < tables.length) {
    const next = tables.find(
      (table) => !done.has(table) && parentsOf(table).every((parent) => done.has(parent)),
    );
    if (next === undefined) throw new Error('tables refer to each other in a circle');
    filler.fill(next, rows);
    done.add(next);
  }
  return tables.reduce((sum, table) => {
    const found = sqlite.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${table}"`).get();
    return sum + (found?.n ?? 0);
  }, 0);
}

/** All rows of all tables as texts, in an order of their own. */
export function dumpOf(sqlite: BetterSqlite3.Database): Record<string, string[]> {
  const tables = sqlite
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_'));
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  return Object.fromEntries(
    tables.sort().map((table) => [
      table,
      sqlite
        .prepare<[], unknown>(`SELECT * FROM "${table}"`)
        .safeIntegers(true)
        .all()
        .map((row) => JSON.stringify(row, text))
        .sort(),
    ]),
  );
}
