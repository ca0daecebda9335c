import type { ListRequest } from '../../contract/platform/lists.ts';
import type { RunFilter } from './run-filter.ts';

/** Which runs a page shows, in its order, and how many there are in all. */
export interface RunPage {
  readonly seqs: readonly number[];
  readonly total: number;
}

/** Lists of runs: filters, totals, the window and its order (contract/platform.md 1.5, 3.3). */
export interface RunQuery {
  /** @throws Refusal invalid_timestamp. */
  page(filter: RunFilter, request: ListRequest): Promise<RunPage>;
}
