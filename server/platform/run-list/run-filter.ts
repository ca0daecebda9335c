import type { RunFilterQuery } from '../../contract/platform/runs.ts';
import { timeBound } from '../lists/time-bound.ts';

/** The filters of GET /runs as a caller gives them (contract/platform.md 3.3). */
export type RunFilter = RunFilterQuery;

/** The same with bounds in the stored form, `q` absent when it is empty. */
export type CheckedFilter = { readonly [Name in keyof RunFilter]-?: RunFilter[Name] | undefined };

/** @throws Refusal invalid_timestamp. */
export function checkFilter(filter: RunFilter): CheckedFilter {
  return {
    status: filter.status,
    workflow_kind: filter.workflow_kind,
    workflow_name: filter.workflow_name,
    session_id: filter.session_id,
    has_error: filter.has_error,
    created_after: timeBound('created_after', filter.created_after),
    created_before: timeBound('created_before', filter.created_before),
    q: filter.q === '' ? undefined : filter.q,
  };
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** All of the conditions; nothing to hold is TRUE. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: 'TRUE', values: [] };
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}
