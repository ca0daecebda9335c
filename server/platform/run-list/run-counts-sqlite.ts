import { type ColumnQuery, numberOf } from '../../store/statement-cache.ts';
import { allOf, type CheckedFilter, type Condition } from './run-filter.ts';

/** Equalities of the filter as they hold in `run_counts`. */
function countConditions(filter: Partial<CheckedFilter>): Condition[] {
  const found: Condition[] = [];
  for (const name of ['status', 'workflow_kind'] as const) {
    const value = filter[name];
    if (value !== undefined) found.push({ sql: `${name} = ?`, values: [value] });
  }
  if (filter.workflow_name !== undefined) {
    found.push({ sql: 'workflow_name = ?', values: [`=${filter.workflow_name}`] });
  }
  if (filter.has_error !== undefined) {
    found.push({ sql: 'has_error = ?', values: [filter.has_error ? 1 : 0] });
  }
  return found;
}

/** Equalities of the filter as they hold in `run_list`. */
export function listConditions(filter: Partial<CheckedFilter>): Condition[] {
  const found: Condition[] = [];
  for (const name of ['status', 'workflow_kind', 'workflow_name'] as const) {
    const value = filter[name];
    if (value !== undefined) found.push({ sql: `run_list.${name} = ?`, values: [value] });
  }
  if (filter.has_error !== undefined) {
    found.push({ sql: `run_list.has_error = ${filter.has_error ? 1 : 0}`, values: [] });
  }
  return found;
}

const DAY_CHARS = 'YYYY-MM-DD'.length;

export interface RunCounts {
  /** The true number of runs that match; sessions and texts are not counted here. */
  of(filter: Partial<CheckedFilter>): number;
}

/**
 * Counts without looking at the runs: whole days by their counts, the first and the last day of a
 * range run by run.
 */
export function createRunCounts(column: ColumnQuery): RunCounts {
  const sum = ({ sql, values }: Condition): number =>
    numberOf(column(`SELECT sum(runs) FROM run_counts WHERE ${sql}`, values));
  const days = (filter: Partial<CheckedFilter>, range: readonly Condition[]): number =>
    sum(allOf([...countConditions(filter), ...range]));
  const within = (filter: Partial<CheckedFilter>, range: readonly Condition[]): number => {
    const { sql, values } = allOf([...range, ...listConditions(filter)]);
    const from = 'run_list INDEXED BY run_list_by_created';
    return numberOf(column(`SELECT count(*) FROM ${from} WHERE ${sql}`, values));
  };
  const from = (at: string): Condition => ({ sql: 'created_at >= ?', values: [at] });
  const to = (at: string): Condition => ({ sql: 'created_at <= ?', values: [at] });
  const dayOf = (at: string | undefined): string | undefined => at?.slice(0, DAY_CHARS);

  /** Runs of a part of one day, looked at only on a day that has any. */
  const part = (
    filter: Partial<CheckedFilter>,
    day: string,
    range: readonly Condition[],
  ): number =>
    days(filter, [{ sql: 'day = ?', values: [day] }]) === 0 ? 0 : within(filter, range);
  const firstDay = (filter: Partial<CheckedFilter>, at: string | undefined): number => {
    const day = dayOf(at);
    if (at === undefined || day === undefined) return 0;
    return part(filter, day, [from(at), { sql: 'created_at < ?', values: [`${day}U`] }]);
  };
  const lastDay = (filter: Partial<CheckedFilter>, at: string | undefined): number => {
    const day = dayOf(at);
    if (at === undefined || day === undefined) return 0;
    return part(filter, day, [{ sql: 'created_at >= ?', values: [day] }, to(at)]);
  };
  const daysBetween = (filter: Partial<CheckedFilter>): number => {
    const [first, last] = [dayOf(filter.created_after), dayOf(filter.created_before)];
    return days(filter, [
      ...(first === undefined ? [] : [{ sql: 'day > ?', values: [first] }]),
      ...(last === undefined ? [] : [{ sql: 'day < ?', values: [last] }]),
    ]);
  };

  return {
    of(filter) {
      const { created_after: after, created_before: before } = filter;
      if (after !== undefined && before !== undefined) {
        if (after > before) return 0;
        const day = after.slice(0, DAY_CHARS);
        if (day === dayOf(before)) return part(filter, day, [from(after), to(before)]);
      }
      return daysBetween(filter) + firstDay(filter, after) + lastDay(filter, before);
    },
  };
}
