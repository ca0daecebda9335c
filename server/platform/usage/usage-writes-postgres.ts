// How use is added up in PostgreSQL: transactions leave changes, so that none waits for another.

/** What is not folded yet is of these days, and goes later. */
export const DAYS = 'usage_by_day_folded';
export const MONTHS = 'usage_by_month_folded';

function adding(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')})
    VALUES (${columns.map((name) => `@${name}`).join(', ')})`;
}

/** The statements that add what answers used, for columns of these counts. */
export function usageWrites(counts: readonly string[]) {
  const ofStep = ['step', 'provider', 'model', ...counts];
  return {
    addToDay: adding('usage_changes', ['day', 'caller', 'workflow', ...ofStep]),
    /** Months are summed from the same changes. */
    addToMonth: undefined,
    addToRun: adding('run_usage_changes', ['run_id', ...ofStep]),
  };
}

const DAY_KEYS = 'day, caller, workflow, step, provider, model';
const MONTH_KEYS = 'month, caller, workflow, provider, model';

/** Folds the changes into the sums of their days and months; readers see the same before and after. */
export function foldUses(counts: readonly string[]): string {
  const columns = counts.join(', ');
  const sums = counts.map((name) => `sum(${name})`).join(', ');
  return `WITH news AS (DELETE FROM usage_changes RETURNING ${DAY_KEYS}, ${columns}),
    old_days AS (DELETE FROM ${DAYS} WHERE day IN (SELECT day FROM news)
      RETURNING ${DAY_KEYS}, ${columns}),
    old_months AS (DELETE FROM ${MONTHS} WHERE month IN (SELECT substr(day, 1, 7) FROM news)
      RETURNING ${MONTH_KEYS}, ${columns}),
    months AS (INSERT INTO ${MONTHS} (${MONTH_KEYS}, ${columns})
      SELECT ${MONTH_KEYS}, ${sums} FROM (
        SELECT substr(day, 1, 7) AS month, caller, workflow, provider, model, ${columns} FROM news
        UNION ALL SELECT * FROM old_months) AS used
      GROUP BY ${MONTH_KEYS})
    INSERT INTO ${DAYS} (${DAY_KEYS}, ${columns})
    SELECT ${DAY_KEYS}, ${sums}
    FROM (SELECT * FROM news UNION ALL SELECT * FROM old_days) AS used GROUP BY ${DAY_KEYS}`;
}
