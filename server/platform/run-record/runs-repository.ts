import type { JsonObject } from '../../kernel/json.ts';

import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import { askLater, type SyncStore } from '../../store/sync-connection.ts';
import type { ShownTexts } from './created-metadata.ts';
import {
  assignedColumns,
  CHANGED_COLUMNS,
  insertedColumns,
  RUN_COLUMNS,
  type RunChange,
} from './run-columns.ts';

/** The messages of a change before they became a text: spares reading them again. */
type Messages = readonly JsonObject[] | undefined;

/** Status and holder of a run as they were read. */
export interface RunHold {
  readonly from: string;
  readonly token: string | null;
}

/** What a run gets in place of what it was created with. */
export interface Respecified {
  readonly metadata: string;
  readonly shown: ShownTexts;
  /** Epoch seconds. */
  readonly deadline_at: number | null;
  readonly code_bundle: string | null;
}

export type ShortRow = Omit<RunsTable, 'messages'>;

/** What else is written with a run's row: both in one transaction, or neither. */
export interface RowListener {
  /** `shown` where the metadata of the create was redacted already; `messages` before they became a text. */
  insert(row: RunsTable, shown?: ShownTexts, messages?: Messages): void;
  /** Asks, with the next statement, where what is written with the run stands. */
  place(id: string): () => number | undefined;
  /** `messages` are those of the change; `at` is what `place` answered. */
  update(id: string, at: number | undefined, change: RunChange, messages?: Messages): void;
  /** The metadata of the create and the deadline are others now. */
  respecify(row: RunsTable, shown: ShownTexts): void;
  /** A write of the repository is done; its transaction may still be open. */
  written(): void;
}

export interface RunsRepository {
  /** `shown` where the metadata of the create was redacted already; `messages` before they became a text. */
  insert(row: RunsTable, shown?: ShownTexts, messages?: Messages): void;
  find(id: string): RunsTable | undefined;
  /** The same, asked with the next statement. */
  findLater(id: string): () => RunsTable | undefined;
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
  /** Puts another spec and deadline in the place of the run's own, while the token holds it. */
  respecify(id: string, token: string, made: Respecified): void;
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
  /** Takes a run whose leg was handed over from whoever held it; nothing where nobody did. */
  seizeHanded(id: string, token: string): void;
  /** Runs left running with nobody to finish them, and tokens of a process that is gone. */
  orphans(): RunsTable[];
  /** Runs that somebody holds although they neither wait in the queue nor run. */
  restingHeld(): Pick<RunsTable, 'id' | 'execution_token'>[];
  /** Gives up a held run without a change. */
  release(id: string, token: string): void;
}

/** Runs as rows. Every write of an execution names its token, so that a stale one writes nothing. */
export function createRunsRepository(
  store: SyncStore<PlatformTables>,
  listener: RowListener,
): RunsRepository {
  const { sync } = store;
  const insert = sync.prepare<[RunsTable]>(`INSERT INTO runs ${insertedColumns(RUN_COLUMNS)}`);
  const find = sync.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  const shortColumns = RUN_COLUMNS.filter((name) => name !== 'messages').join(', ');
  const findShort = sync.prepare<[string], ShortRow>(
    `SELECT ${shortColumns} FROM runs WHERE id = ?`,
  );
  const assignments = assignedColumns(CHANGED_COLUMNS);
  const saveHeld = sync.prepare<[RunChange & { id: string; token: string; next: string | null }]>(
    `UPDATE runs SET ${assignments}, execution_token = @next
     WHERE id = @id AND execution_token = @token`,
  );
  const saveFrom = sync.prepare<[RunChange & RunHold & { id: string; next: string | null }]>(
    `UPDATE runs SET ${assignments}, execution_token = @next
     WHERE id = @id AND status = @from AND execution_token IS NOT DISTINCT FROM @token`,
  );
  const take = sync.prepare<[string, string, string]>(
    `UPDATE runs SET execution_token = ?
     WHERE id = ? AND status = ? AND execution_token IS NULL`,
  );
  const respecify = sync.prepare<[Omit<Respecified, 'shown'> & { id: string; token: string }]>(
    `UPDATE runs SET created_metadata = @metadata, deadline_at = @deadline_at,
       code_bundle = @code_bundle WHERE id = @id AND execution_token = @token`,
  );
  const seize = sync.prepare<[string, string]>(
    "UPDATE runs SET execution_token = ? WHERE id = ? AND status IN ('queued', 'running')",
  );
  const seizeHanded = sync.prepare<[string, string]>(
    'UPDATE runs SET execution_token = ? WHERE id = ? AND execution_token IS NOT NULL',
  );
  const orphans = sync.prepare<[], RunsTable>(
    `SELECT * FROM runs WHERE status = 'running' AND NOT EXISTS (
       SELECT 1 FROM run_queue
       WHERE run_queue.run_id = runs.id AND run_queue.status IN ('queued', 'running'))`,
  );
  const restingHeld = sync.prepare<[], Pick<RunsTable, 'id' | 'execution_token'>>(
    `SELECT id, execution_token FROM runs
     WHERE execution_token IS NOT NULL AND status NOT IN ('queued', 'running')`,
  );
  const release = sync.prepare<[string, string]>(
    'UPDATE runs SET execution_token = NULL WHERE id = ? AND execution_token = ?',
  );
  /** Within a transaction that is open already there is nothing to open. */
  const inOne = <Args extends unknown[], T>(write: (...args: Args) => T) => {
    const transaction = sync.transaction(write);
    return (...args: Args): T => (sync.inTransaction ? write(...args) : transaction(...args));
  };
  const insertBoth = inOne((row: RunsTable, shown: ShownTexts | undefined, messages: Messages) => {
    insert.run(row);
    listener.insert(row, shown, messages);
  });
  const respecifyBoth = inOne((id: string, token: string, made: Respecified) => {
    const { shown, ...given } = made;
    const { changes } = respecify.run({ ...given, id, token });
    const row = changes === 0 ? undefined : find.get(id);
    if (row !== undefined) listener.respecify(row, shown);
  });
  const saveBoth = inOne(
    (id: string, change: RunChange, messages: Messages, save: () => boolean) => {
      const place = listener.place(id);
      if (!save()) return false;
      listener.update(id, place(), change, messages);
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
    if (done) listener.written();
    return done;
  };
  return {
    insert(row, shown, messages) {
      insertBoth(row, shown, messages);
      listener.written();
    },
    find: (id) => find.get(id),
    findLater: (id) => askLater(find, id),
    findShort: (id) => findShort.get(id),
    saveHeld: (id, token, next, change, messages) =>
      saved(id, change, messages, () => saveHeld.run({ ...change, id, token, next }).changes > 0),
    saveFrom: (id, read, next, change, messages) =>
      saved(id, change, messages, () => saveFrom.run({ ...change, ...read, id, next }).changes > 0),
    respecify(id, token, made) {
      respecifyBoth(id, token, made);
      listener.written();
    },
    take: (id, from, token) => take.run(token, id, from).changes > 0,
    seize: (id, token) => void seize.run(token, id),
    seizeHanded: (id, token) => void seizeHanded.run(token, id),
    orphans: () => orphans.all(),
    restingHeld: () => restingHeld.all(),
    release: (id, token) => void release.run(id, token),
  };
}
