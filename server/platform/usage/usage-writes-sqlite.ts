// How use is added up in SQLite: sums grow where they stand.

export const DAYS = 'usage_by_day';
export const MONTHS = 'usage_by_month';

function adding(table: string, keys: readonly string[], counts: readonly string[]): string {
  const columns = [...keys, ...counts];
  const grown = counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  return `INSERT INTO ${table} (${columns.join(', ')})
    VALUES (${columns.map((name) => `@${name}`).join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${grown.join(', ')}`;
}

/** The statements that add what answers used, for columns of these counts. */
export function usageWrites(counts: readonly string[]) {
  const ofModel = ['caller', 'workflow', 'provider', 'model'];
  return {
    addToDay: adding(DAYS, ['day', ...ofModel, 'step'], counts),
    addToMonth: adding(MONTHS, ['month', ...ofModel], counts),
    addToRun: adding('run_usage', ['run_id', 'step', 'provider', 'model'], counts),
  };
}

/** Nothing is left to fold. */
export function foldUses(): undefined {
  return undefined;
}
