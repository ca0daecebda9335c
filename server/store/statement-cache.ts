import type BetterSqlite3 from 'better-sqlite3';

type Value = string | number;

/** Statements whose text depends on the request are few; a flood of them starts again from none. */
const MAX_STATEMENTS = 256;

/** Runs a query of one column of numbers whose text is put together for each request. */
export type NumberQuery = (sql: string, values: readonly Value[]) => (number | null)[];

/** Each text is prepared once. */
export function createNumberQuery(sqlite: BetterSqlite3.Database): NumberQuery {
  const kept = new Map<string, BetterSqlite3.Statement<Value[], number | null>>();
  return (sql, values) => {
    let statement = kept.get(sql);
    if (statement === undefined) {
      if (kept.size >= MAX_STATEMENTS) kept.clear();
      statement = sqlite.prepare<Value[], number | null>(sql).pluck();
      kept.set(sql, statement);
    }
    return statement.all(...values);
  };
}
