import type { JsonObject } from '../../kernel/json.ts';
import type { Log } from '../../kernel/log.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import type { ShownTexts } from './created-metadata.ts';
import { createRunListFill, type RunListFill } from './fill-run-list.ts';
import { createRunListWriter } from './run-list-writer.ts';
import { createRunQuery, type RunQuery } from './run-query.ts';
import { createRunReader, type RunReader } from './run-reader.ts';
import { createRunSearch } from './run-search-sqlite.ts';
import type { OutcomeColumns } from './run-view.ts';
import { keepIndexed } from './search-schedule.ts';

/** What an execution or a transition may change of a run. */
export type RunChange = Readonly<OutcomeColumns>;

/** The messages of a change before they became a text: spares reading them again. */
type Messages = readonly JsonObject[] | undefined;

const CHANGED_COLUMNS: readonly (keyof RunChange)[] = [
  'status',
  'workflow_kind',
  'workflow_name',
  'agent_name',
  'output_text',
  'current_step_index',
  'current_step_id',
  'current_node_id',
  'visited_steps',
  'visited_nodes',
  'messages',
  'pending_human_request',
  'continuation_id',
  'trace_event_count',
  'trace_dropped',
  'error',
  'usage',
  'run_metadata',
  'updated_at',
  'started_at',
  'completed_at',
];

const INSERTED_COLUMNS: readonly (keyof RunsTable)[] = [
  'id',
  'target',
  'environment',
  'session_id',
  'input_text',
  'created_metadata',
  'parent_run_id',
  'tags',
  'strict',
  'execution_token',
  'deadline_at',
  'created_at',
  ...CHANGED_COLUMNS,
];

/** Status and holder of a run as they were read. */
export interface RunHold {
  readonly from: string;
  readonly token: string | null;
}

export type ShortRow = Omit<RunsTable, 'messages'>;

export interface RunsRepository extends RunQuery, RunReader {
  /** Runs of a store that is older than the lists. */
  readonly unlisted: RunListFill;
  /** `shown` where the metadata of the create was redacted already; `messages` before they became a text. */
  insert(row: RunsTable, shown?: ShownTexts, messages?: Messages): void;
  find(id: string): RunsTable | undefined;
  /** The row without the run's messages, which can be long. */
  findShort(id: string): ShortRow | undefined;
  /** Writes a change while the token still holds the run; false when it does not. */
  saveHeld(
    id: string,
    token: string,
    next: string | null,
    change: RunChange,
    messages?: Messages,
  ): boolean;
  /** Writes a change while status and holder are as they were read; the holder loses the run. */
  saveFrom(
    id: string,
    read: RunHold,
    next: string | null,
    change: RunChange,
    messages?: Messages,
  ): boolean;
  /** Takes an unheld run for execution; false when the status or a holder is in the way. */
  take(id: string, from: string, token: string): boolean;
  /** Takes a queued or running run from whoever held it, because its lease has run out. */
  seize(id: string, token: string): void;
  /** Runs left running with nobody to finish them, and tokens of a process that is gone. */
  orphans(): RunsTable[];
  /** Runs that somebody holds although they neither wait in the queue nor run. */
  restingHeld(): Pick<RunsTable, 'id' | 'execution_token'>[];
  /** Runs past their deadline (epoch seconds) that are not over. */
  pastDeadline(now: number): RunsTable[];
  /** Runs whose deadline is still ahead, the next ones first. */
  nextDeadlines(now: number): { id: string; due: number }[];
  /** Gives up a held run without a change. */
  release(id: string, token: string): void;
}

/** Runs as rows. Every write of an execution names its token, so that a stale one writes nothing. */
export function createRunsRepository(
  store: Database<PlatformTables>,
  log: Log,
  lock: Pick<WriteLock, 'soon'>,
): RunsRepository {
  const { sqlite } = store;
  const insert = sqlite.prepare<[RunsTable]>(
    `INSERT INTO runs (${INSERTED_COLUMNS.join(', ')})
     VALUES (${INSERTED_COLUMNS.map((name) => `@${name}`).join(', ')})`,
  );
  const find = sqlite.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  const shortColumns = INSERTED_COLUMNS.filter((name) => name !== 'messages').join(', ');
  const findShort = sqlite.prepare<[string], ShortRow>(
    `SELECT ${shortColumns} FROM runs WHERE id = ?`,
  );
  const assignments = CHANGED_COLUMNS.map((name) => `${name} = @${name}`).join(', ');
  const saveHeld = sqlite.prepare<[RunChange & { id: string; token: string; next: string | null }]>(
    `UPDATE runs SET ${assignments}, execution_token = @next
     WHERE id = @id AND execution_token = @token`,
  );
  const saveFrom = sqlite.prepare<[RunChange & RunHold & { id: string; next: string | null }]>(
    `UPDATE runs SET ${assignments}, execution_token = @next
     WHERE id = @id AND status = @from AND execution_token IS @token`,
  );
  const take = sqlite.prepare<[string, string, string]>(
    `UPDATE runs SET execution_token = ?
     WHERE id = ? AND status = ? AND execution_token IS NULL`,
  );
  const seize = sqlite.prepare<[string, string]>(
    "UPDATE runs SET execution_token = ? WHERE id = ? AND status IN ('queued', 'running')",
  );
  const orphans = sqlite.prepare<[], RunsTable>(
    `SELECT * FROM runs WHERE status = 'running' AND NOT EXISTS (
       SELECT 1 FROM run_queue
       WHERE run_queue.run_id = runs.id AND run_queue.status IN ('queued', 'running'))`,
  );
  const restingHeld = sqlite.prepare<[], Pick<RunsTable, 'id' | 'execution_token'>>(
    `SELECT id, execution_token FROM runs
     WHERE execution_token IS NOT NULL AND status NOT IN ('queued', 'running')`,
  );
  // Only the list rows of runs that are not over are looked at, in the index alone.
  const pastDeadline = sqlite.prepare<[number], RunsTable>(
    `SELECT runs.* FROM (
       SELECT run_id, deadline_at AS due FROM run_list INDEXED BY run_list_parts
       WHERE workflow_kind IN (SELECT DISTINCT workflow_kind FROM run_counts)
         AND status IN ('queued', 'running', 'blocked') AND deadline_at <= ?
       ORDER BY deadline_at LIMIT 100
     ) AS late CROSS JOIN runs ON runs.id = late.run_id ORDER BY due`,
  );
  const nextDeadlines = sqlite.prepare<[number], { id: string; due: number }>(
    `SELECT run_id AS id, deadline_at AS due FROM run_list INDEXED BY run_list_parts
     WHERE workflow_kind IN (SELECT DISTINCT workflow_kind FROM run_counts)
       AND status IN ('queued', 'running', 'blocked') AND deadline_at > ?
     ORDER BY deadline_at LIMIT 1000`,
  );
  const release = sqlite.prepare<[string, string]>(
    'UPDATE runs SET execution_token = NULL WHERE id = ? AND execution_token = ?',
  );
  const search = createRunSearch(store);
  const list = createRunListWriter(store, search);
  const unlisted = createRunListFill(store, list, { log, lock });
  const written = keepIndexed(store, search, { log, lock });
  /** Within a transaction that is open already there is nothing to open. */
  const inOne = <Args extends unknown[], T>(write: (...args: Args) => T) => {
    const transaction = sqlite.transaction(write);
    return (...args: Args): T => (sqlite.inTransaction ? write(...args) : transaction(...args));
  };
  const insertBoth = inOne((row: RunsTable, shown: ShownTexts | undefined, messages: Messages) => {
    insert.run(row);
    list.insert(row, shown, messages);
  });
  const saveBoth = inOne(
    (id: string, change: RunChange, messages: Messages, save: () => boolean) => {
      if (!save()) return false;
      list.update(id, change, () => find.get(id), messages);
      return true;
    },
  );
  const saved = (
    id: string,
    change: RunChange,
    messages: Messages,
    save: () => boolean,
  ): boolean => {
    const done = saveBoth(id, change, messages, save);
    if (done) written();
    return done;
  };
  return {
    ...createRunQuery(store, search),
    ...createRunReader(store, log),
    unlisted,
    insert(row, shown, messages) {
      insertBoth(row, shown, messages);
      written();
    },
    find: (id) => find.get(id),
    findShort: (id) => findShort.get(id),
    saveHeld: (id, token, next, change, messages) =>
      saved(id, change, messages, () => saveHeld.run({ ...change, id, token, next }).changes > 0),
    saveFrom: (id, read, next, change, messages) =>
      saved(id, change, messages, () => saveFrom.run({ ...change, ...read, id, next }).changes > 0),
    take: (id, from, token) => take.run(token, id, from).changes > 0,
    seize: (id, token) => void seize.run(token, id),
    orphans: () => orphans.all(),
    restingHeld: () => restingHeld.all(),
    pastDeadline: (now) => pastDeadline.all(now),
    nextDeadlines: (now) => nextDeadlines.all(now),
    release: (id, token) => void release.run(id, token),
  };
}
