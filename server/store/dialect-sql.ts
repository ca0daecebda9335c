/** Where a value stands in a statement. */
type Place = '?' | `@${string}`;

/** SQL that each store says in its own way, for statements that are the same but for it. */
export interface SqlOf {
  /** Epoch seconds by the database's own clock, with a fraction. */
  readonly DATABASE_NOW: string;
  /** Joins in the order in which the tables stand in the statement, where a store lets one say so. */
  readonly THEN_JOIN: string;
  /** The column that numbers rows as they were inserted. */
  readonly ROW: string;
  /** Rows of a JSON list of texts: `value`, and `key`, its place in the list. It needs a name. */
  rowsOfList(place?: Place): string;
  /** The same of a list of numbers. */
  rowsOfNumbers(place?: Place): string;
  /** A JSON list of columns. */
  listOf(...columns: readonly string[]): string;
  /** A text in a JSON list. */
  memberOf(list: Place, at: number): string;
}
