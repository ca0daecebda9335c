import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import type {
  Column,
  ColumnKind,
  CopiedTable,
  Reading,
  Relation,
  StoredRow,
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
  TEXT: 'text',
  INTEGER: 'integer',
  REAL: 'real',
  BLOB: 'blob',
};

interface TableFact {
  readonly name: string;
  readonly type: string;
  /** 1: without row numbers. */
  readonly wr: number;
}

interface ColumnFact {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

function columnOf({ name, type, notnull, dflt_value, pk }: ColumnFact): Column {
  const hasDefault = pk === 0 && (notnull === 0 || dflt_value !== null);
  return { name, kind: KINDS[type] ?? 'text', hasDefault };
}

/** Ordinary tables; what belongs to an index of full texts is made anew by the store that it serves. */
function relationsOf(sqlite: BetterSqlite3.Database): Relation[] {
  const facts = sqlite
    .prepare<[], TableFact>(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')",
    )
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'));
  return facts.map(({ name, type, wr }): Relation => {
    const columns = sqlite
      .prepare<[string], ColumnFact>('SELECT * FROM pragma_table_info(?)')
      .all(name);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const isView = type === 'view';
    return {
      name,
      isView,
      columns: columns.map(columnOf),
      key: key.map((column) => column.name),
      over: [],
      rowNumber: isView || wr === 1 ? undefined : 'rowid',
    };
  });
}

async function* readRows(
  sqlite: BetterSqlite3.Database,
  reading: Reading,
  after: StoredRow | undefined,
): AsyncGenerator<RowBatch> {
  const select = sqlite
    .prepare<unknown[], StoredRow>(selectText(reading, after !== undefined, () => '?'))
    .raw(true)
    .safeIntegers(true);
  const width = reading.columns.length;
  const batcher = new Batcher();
  for (const all of select.iterate(...(after ?? []))) {
    if (!batcher.add(all.slice(0, width), all.slice(width))) continue;
    const batch = batcher.take();
    if (batch !== undefined) yield batch;
  }
  const rest = batcher.take();
  if (rest !== undefined) yield rest;
}

function hasSequences(sqlite: BetterSqlite3.Database): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").get() !== undefined
  );
}

async function countersOf(sqlite: BetterSqlite3.Database): Promise<ReadonlyMap<string, bigint>> {
  if (!hasSequences(sqlite)) return new Map();
  const rows = sqlite
    .prepare<[], [string, bigint]>('SELECT name, seq FROM sqlite_sequence')
    .raw(true)
    .safeIntegers(true)
    .all();
  return new Map(rows as unknown as [string, bigint][]);
}

/** True for a store that a copy is under way into. */
export function isUnderWay(sqlite: BetterSqlite3.Database): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'store_copy'").get() !== undefined
  );
}

/** True for a store that holds anything but its own ledger. */
export function holdsRows(sqlite: BetterSqlite3.Database): boolean {
  return relationsOf(sqlite).some(
    ({ name, isView }) =>
      !isView &&
      name !== 'schema_migrations' &&
      sqlite.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).get() !== undefined,
  );
}

/** A store that is a file, as it is at this moment; the connection only reads. */
export function copySourceOfFile(sqlite: BetterSqlite3.Database): CopySource {
  sqlite.exec('BEGIN');
  return {
    relations: relationsOf(sqlite),
    read: (reading, after) => readRows(sqlite, reading, after),
    counters: () => countersOf(sqlite),
    async close() {
      sqlite.close();
    },
  };
}

class FileTarget implements CopyTarget {
  readonly relations: readonly Relation[];
  readonly #sqlite: BetterSqlite3.Database;

  constructor(sqlite: BetterSqlite3.Database) {
    this.#sqlite = sqlite;
    // Each row may come before those that it refers to; `finish` proves all of them.
    sqlite.pragma('foreign_keys = OFF');
    this.relations = relationsOf(sqlite);
  }

  read(reading: Reading, after?: StoredRow): AsyncIterable<RowBatch> {
    return readRows(this.#sqlite, reading, after);
  }

  counters(): Promise<ReadonlyMap<string, bigint>> {
    return countersOf(this.#sqlite);
  }

  async note(name: string): Promise<string | undefined> {
    if (!isUnderWay(this.#sqlite)) return undefined;
    return this.#sqlite
      .prepare<[string], { value: string }>('SELECT value FROM store_copy WHERE name = ?')
      .get(name)?.value;
  }

  #keep(name: string, value: string): void {
    this.#sqlite
      .prepare(
        'INSERT INTO store_copy (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      )
      .run(name, value);
  }

  async begin(source: string): Promise<void> {
    const sqlite = this.#sqlite;
    sqlite.transaction(() => {
      sqlite.exec('CREATE TABLE store_copy (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
      const triggers = sqlite
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
        )
        .all();
      for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${quoted(name)}`);
      this.#keep(LIFTED_NOTE, JSON.stringify(triggers.map(({ sql }) => sql)));
      this.#keep(SOURCE_NOTE, source);
    })();
  }

  async write(
    { into, columns }: CopiedTable,
    rows: readonly StoredRow[],
    progress: { readonly name: string; readonly text: string },
  ): Promise<void> {
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const places = columns.map(() => '?').join(', ');
    const sqlite = this.#sqlite;
    sqlite.transaction(() => {
      const insert = sqlite.prepare(`INSERT INTO ${quoted(into)} (${names}) VALUES (${places})`);
      for (const row of rows) insert.run(...row);
      this.#keep(progress.name, progress.text);
    })();
  }

  async finish(counters: ReadonlyMap<string, bigint>): Promise<void> {
    const sqlite = this.#sqlite;
    const lifted: string[] = JSON.parse((await this.note(LIFTED_NOTE)) ?? '[]');
    const [broken] = sqlite.prepare<[], { table: string }>('PRAGMA foreign_key_check').all();
    if (broken !== undefined) {
      throw new StoreError(
        'copy_differs',
        `Rows of ${broken.table} refer to rows that the source does not hold. Nothing was put in place.`,
      );
    }
    sqlite.transaction(() => {
      for (const sql of lifted) sqlite.exec(sql);
      for (const [table, number] of counters) this.#setCounter(table, number);
      sqlite.exec('DROP TABLE store_copy');
    })();
  }

  /** Numbers that were given to rows which are gone are not given again. */
  #setCounter(table: string, number: bigint): void {
    const sql = this.#sqlite
      .prepare<[string], { sql: string }>('SELECT sql FROM sqlite_master WHERE name = ?')
      .get(table)?.sql;
    if (sql === undefined || !/\bAUTOINCREMENT\b/i.test(sql)) return;
    const changed = this.#sqlite
      .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
      .run(number, table);
    if (changed.changes > 0) return;
    this.#sqlite
      .prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
      .run(table, number);
  }

  close = async (): Promise<void> => {
    this.#sqlite.close();
  };
}

/** A store that is a file and is to be filled; nobody else has it open. */
export function copyTargetOfFile(sqlite: BetterSqlite3.Database): CopyTarget {
  return new FileTarget(sqlite);
}
