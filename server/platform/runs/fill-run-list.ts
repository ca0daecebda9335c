import type { Log } from '../../kernel/log.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import type { RunListWriter } from './run-list-writer.ts';

/** Runs of one transaction: short enough that requests get their turn between two of them. */
const BATCH = 25;
const BETWEEN_MS = 2;
const RETRY_MS = 5000;
/** Kept once all runs are listed: from then on each run is listed as it is stored. */
const ALL_LISTED = 'all_runs_listed';

/** Lists runs that are older than the tables of the lists (migration 2), newest first. */
export interface RunListFill {
  /** True until all are listed: lists, totals and searches are short of the oldest runs so long. */
  isUnderWay(): boolean;
  /** Begins; at once to the end, or in steps beside other work. */
  begin(inSteps: boolean): void;
}

export function createRunListFill(
  store: Database<PlatformTables>,
  list: RunListWriter,
  deps: { readonly log: Pick<Log, 'warn'>; readonly lock: Pick<WriteLock, 'soon'> },
): RunListFill {
  const { sqlite } = store;
  const stored = sqlite.prepare<[], { newest: number | null; runs: number; listed: number | null }>(
    `SELECT (SELECT max(rowid) FROM runs) AS newest, (SELECT count(*) FROM runs) AS runs,
       (SELECT sum(runs) FROM run_counts) AS listed`,
  );
  const some = sqlite.prepare<[number, number], { id: string }>(
    `SELECT id FROM runs WHERE runs.rowid <= ? AND runs.rowid > ?
       AND NOT EXISTS (SELECT 1 FROM run_list WHERE run_list.run_id = runs.id)
     ORDER BY runs.rowid DESC`,
  );
  const find = sqlite.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  const batch = sqlite.transaction((upTo: number): void => {
    for (const { id } of some.all(upTo, upTo - BATCH)) {
      const row = find.get(id);
      if (row !== undefined) list.insert(row);
    }
  });
  const marked = sqlite.prepare<[string], number>('SELECT 1 FROM project_metadata WHERE key = ?');
  const mark = sqlite.prepare<[string]>(
    `INSERT OR IGNORE INTO project_metadata (key, value, updated_at)
     VALUES (?, '1', strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'))`,
  );
  // Counting the runs of a large store takes longer than the rest of a start.
  let isMarked = marked.get(ALL_LISTED) !== undefined;
  const found = isMarked ? undefined : stored.get();
  const isWhole = found === undefined || found.runs <= (found.listed ?? 0);
  let left = isWhole ? 0 : (found.newest ?? 0);

  const settle = (): void => {
    if (isMarked || left > 0) return;
    mark.run(ALL_LISTED);
    isMarked = true;
  };
  const step = (): void => {
    batch.immediate(left);
    left = Math.max(0, left - BATCH);
    settle();
  };
  const later = (delay: number): void => {
    setTimeout(() => deps.lock.soon(stepAndGoOn), delay).unref();
  };
  const stepAndGoOn = (): void => {
    if (!sqlite.open || left === 0) return;
    try {
      step();
      later(BETWEEN_MS);
    } catch (error) {
      deps.log.warn({ err: error }, 'older runs were not listed yet; they will be');
      later(RETRY_MS);
    }
  };
  return {
    isUnderWay: () => left > 0,
    begin(inSteps) {
      if (left === 0) settle();
      else if (inSteps) later(0);
      else while (left > 0) step();
    },
  };
}
