import type {
  Column,
  CopiedTable,
  Reading,
  Relation,
  StoredRow,
  StoredValue,
} from './copied-table.ts';

/** Rows that are read together, and the place after them. */
export interface RowBatch {
  readonly rows: readonly StoredRow[];
  readonly position: StoredRow;
}

/** A database that is read. */
export interface CopySource {
  /** Tables and views with what both say of themselves. */
  readonly relations: readonly Relation[];
  /** Rows in their order, after a place or from the start. */
  read(reading: Reading, after?: StoredRow): AsyncIterable<RowBatch>;
  /** The highest number that the store has given to rows of a table, where it remembers that. */
  counters(): Promise<ReadonlyMap<string, bigint>>;
  close: () => Promise<void>;
}

/** A database that is written; what it says about the copy under way is kept in it. */
export interface CopyTarget extends CopySource {
  /** A note by its name; undefined where no copy is under way, or it has none of this name. */
  note(name: string): Promise<string | undefined>;
  /** Marks the empty database as one that is copied into, and lifts what would act on rows. */
  begin(source: string): Promise<void>;
  /** Writes rows and notes how far it came, both or neither. */
  write(
    table: CopiedTable,
    rows: readonly StoredRow[],
    progress: { readonly name: string; readonly text: string },
  ): Promise<void>;
  /** Puts back what `begin` lifted, proves references, and ends the copy. @throws StoreError */
  finish(counters: ReadonlyMap<string, bigint>): Promise<void>;
}

/** The note that says where a copy comes from. */
export const SOURCE_NOTE = 'source';
/** The note that holds the statements that put back what was lifted, as JSON. */
export const LIFTED_NOTE = 'lifted';

const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;

function sizeOf(value: StoredValue): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
}

/** Gathers rows into batches of bounded size; `order` are the places of the ordering values in a row. */
export class Batcher {
  #rows: StoredRow[] = [];
  #bytes = 0;
  #position: StoredRow = [];

  /** Takes a row with its place in the order; true when the batch is full. */
  add(row: StoredRow, position: StoredRow): boolean {
    this.#rows.push(row);
    this.#bytes += row.reduce((sum: number, value) => sum + sizeOf(value), 0);
    this.#position = position;
    return this.#rows.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES;
  }

  /** The batch so far; undefined when it is empty. */
  take(): RowBatch | undefined {
    if (this.#rows.length === 0) return undefined;
    const batch = { rows: this.#rows, position: this.#position };
    this.#rows = [];
    this.#bytes = 0;
    return batch;
  }
}

/** A name as both dialects quote it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The statement that reads rows: first the copied columns, then the values of the order. `place` writes
 * the place of a value that is given.
 */
export function selectText(
  { relation, columns, order, isSummed }: Reading,
  hasAfter: boolean,
  place: (number: number) => string,
): string {
  const isKey = (column: Column): boolean => order.some(({ name }) => name === column.name);
  const shown = columns.map((column) =>
    isSummed && !isKey(column) ? `sum(${quoted(column.name)})` : quoted(column.name),
  );
  const keys = order.map(({ name }) => quoted(name));
  const after = hasAfter
    ? ` WHERE (${keys.join(', ')}) > (${keys.map((_key, index) => place(index + 1)).join(', ')})`
    : '';
  const grouped = isSummed ? ` GROUP BY ${keys.join(', ')}` : '';
  return `SELECT ${[...shown, ...keys].join(', ')} FROM ${quoted(relation)}${after}${grouped} ORDER BY ${keys.join(', ')}`;
}
