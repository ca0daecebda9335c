import type { Log } from '../../kernel/log.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import type { RowListener } from '../run-record/runs-repository.ts';
import { createRunDeadlines, type RunDeadlines } from './run-deadlines-sqlite.ts';
import { createRunListWriter } from './run-list-repository.ts';
import type { RunQuery } from './run-query.ts';
import { createRunQuery } from './run-query-sqlite.ts';
import { createRunReader, type RunReader } from './run-reader-repository.ts';
import { createRunSearch } from './run-search-sqlite.ts';
import { keepIndexed } from './search-schedule.ts';

/**
 * The list of runs. The room promises: a run is listed in the transaction that writes its row, so a
 * list, its totals and a search are exact at any time; a page costs the same however many runs there
 * are; and what is shown was redacted when it was written.
 */
export interface RunList extends RunQuery, RunReader, RunDeadlines {
  /** Keeps the list in step with the rows. */
  readonly listener: RowListener;
}

/** `longest` is that of {@link createRunSearch}. */
export function createRunList(
  store: Database<PlatformTables>,
  log: Log,
  lock: Pick<WriteLock, 'soon'>,
  longest?: number,
): RunList {
  const search = createRunSearch(store, longest);
  const writer = createRunListWriter(store, search);
  return {
    listener: { ...writer, written: keepIndexed(store, search, { log, lock }) },
    ...createRunQuery(store, search),
    ...createRunReader(store, log),
    ...createRunDeadlines(store),
  };
}
