/** What a column holds; the same in every store. */
export type ColumnKind = 'text' | 'integer' | 'real' | 'blob';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The store fills it where nothing is given. */
  readonly hasDefault: boolean;
}

/** A table, or a view, as the database itself tells it. */
export interface Relation {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly Column[];
  /** Columns of the primary key; none where there is no key. */
  readonly key: readonly string[];
  /** Of a view: the tables that it is made of. */
  readonly over: readonly string[];
  /** The number that the store gives each row as it arrives, by its name in statements. */
  readonly rowNumber: string | undefined;
}

/** A value as it lies in a store: a text, a whole number, a number, bytes. */
export type StoredValue = string | bigint | number | Buffer | null;
export type StoredRow = readonly StoredValue[];

/** What is read of a store for one copied table, in which order. */
export interface Reading {
  readonly relation: string;
  readonly columns: readonly Column[];
  /** Rows come in the order of these. */
  readonly order: readonly Column[];
  /** The relation holds parts: rows with the same values of `order` are one, with the sums of the rest. */
  readonly isSummed: boolean;
}

/** One table of a store, and how it goes from one database to another. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly source: Reading;
  readonly target: Reading;
  /** Where its rows are written. */
  readonly into: string;
}
