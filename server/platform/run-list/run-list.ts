import type { Log } from '../../kernel/log.ts';
import { byDialect } from '../../store/dialect.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import type { RowListener } from '../run-record/runs-repository.ts';
import { createCountsFold } from './run-counts-postgres.ts';
import type { RunDeadlines } from './run-deadlines.ts';
import * as deadlinesPostgres from './run-deadlines-postgres.ts';
import * as deadlinesSqlite from './run-deadlines-sqlite.ts';
import { createRunListWriter } from './run-list-repository.ts';
import type { RunQuery } from './run-query.ts';
import * as queryPostgres from './run-query-postgres.ts';
import * as querySqlite from './run-query-sqlite.ts';
import { createRunReader, type RunReader } from './run-reader-repository.ts';
import * as searchPostgres from './run-search-postgres.ts';
import * as searchSqlite from './run-search-sqlite.ts';
import { keepIndexed } from './search-schedule.ts';

/**
 * The list of runs. The room promises: a run is listed in the transaction that writes its row, so a
 * list, its totals and a search are exact at any time; a page costs the same however many runs there
 * are; and what is shown was redacted when it was written.
 */
export interface RunList extends RunQuery, RunReader, RunDeadlines {
  /** Adds up what transactions left beside the counts, where a store does so. */
  fold(): void;
  /** Keeps the list in step with the rows. */
  readonly listener: RowListener;
}

/** The parts that each store has its own way for. */
function partsOf(store: SyncStore<PlatformTables>, longest: number | undefined) {
  const sqlite = () => {
    const search = searchSqlite.createRunSearch(store, longest);
    return {
      search,
      query: querySqlite.createRunQuery(store, search),
      deadlines: deadlinesSqlite.createRunDeadlines(store),
      fold: () => undefined,
    };
  };
  const postgres = () => ({
    search: searchPostgres.createRunSearch(store, longest),
    query: queryPostgres.createRunQuery(store),
    deadlines: deadlinesPostgres.createRunDeadlines(store),
    fold: createCountsFold(store),
  });
  return byDialect(store.sync, { sqlite, postgres })();
}

/** Texts of more than `longest` bytes are not indexed here. */
export function createRunList(
  store: SyncStore<PlatformTables>,
  log: Log,
  lock: Pick<WriteLock, 'soon'>,
  longest?: number,
): RunList {
  const { search, query, deadlines, fold } = partsOf(store, longest);
  const writer = createRunListWriter(store, search);
  return {
    listener: {
      ...writer,
      update: (_id, seq, changed, messages) => writer.update(seq, changed, messages),
      written: keepIndexed(store, search, { log, lock }),
    },
    fold,
    ...query,
    ...createRunReader(store, log),
    ...deadlines,
  };
}
