import type { SyncConnection, SyncStatement } from './sync-connection.ts';

type Value = string | number;

/** Statements whose text depends on the request are few; a flood of them starts again from none. */
const MAX_STATEMENTS = 256;

/** Runs a query whose text is put together for each request; answers its first column. */
export type ColumnQuery = (sql: string, values: readonly Value[]) => (Value | null)[];

/** Each text is prepared once. */
export function createColumnQuery(sync: SyncConnection): ColumnQuery {
  const kept = new Map<string, SyncStatement<Value[], Value | null>>();
  return (sql, values) => {
    let statement = kept.get(sql);
    if (statement === undefined) {
      if (kept.size >= MAX_STATEMENTS) kept.clear();
      statement = sync.prepare<Value[], Value | null>(sql).pluck();
      kept.set(sql, statement);
    }
    return statement.all(...values);
  };
}

/** The one number that a query answers; 0 for none. */
export function numberOf(rows: readonly (Value | null)[]): number {
  const [first] = rows;
  return typeof first === 'number' ? first : 0;
}
