import type { ListRequest, RunCountQuery } from '../../contract/platform/lists.ts';
import { LISTED_AT_CREATE, LISTED_CHANGES } from '../run-record/run-columns.ts';
import type { RunFilter } from './run-filter.ts';

/** Sort fields that stand in `run_list`, by the column they are. */
const LIST_COLUMNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...LISTED_AT_CREATE, ...LISTED_CHANGES].map((name) => [name, name])),
  id: 'run_id',
  run_id: 'run_id',
  'metadata.duration_ms': 'duration_ms',
  'usage.input_tokens': 'input_tokens',
  'usage.output_tokens': 'output_tokens',
  'usage.total_tokens': 'total_tokens',
  'metadata.usage.input_tokens': 'input_tokens',
  'metadata.usage.output_tokens': 'output_tokens',
  'metadata.usage.total_tokens': 'total_tokens',
};

/** The column of `run_list` that a sort field is; undefined when it is none. */
export function listColumn(field: string): string | undefined {
  return Object.hasOwn(LIST_COLUMNS, field) ? LIST_COLUMNS[field] : undefined;
}

/** A page of runs, and how far its matches are counted. */
export type RunListRequest = ListRequest & RunCountQuery;

/** Which runs a page shows, in its order, and how many there are in all. */
export interface RunPage {
  readonly seqs: readonly number[];
  readonly total: number;
}

/** Lists of runs: filters, totals, the window and its order (contract/platform.md 1.5, 3.3). */
export interface RunQuery {
  /** @throws Refusal invalid_timestamp. */
  page(filter: RunFilter, request: RunListRequest): Promise<RunPage>;
}
