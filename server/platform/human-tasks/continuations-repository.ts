import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import { sqlOf } from '../../store/dialect.ts';

import type { ContinuationsTable, PlatformTables } from '../../store/platform-tables.ts';
import { createColumnQuery, numberOf } from '../../store/statement-cache.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { taskItemText } from './task-view.ts';

export interface TaskFilter {
  readonly run_id: string | undefined;
  readonly workflow_kind: string | undefined;
  readonly status: 'pending' | 'escalated' | undefined;
}

/** A task before the form that lists show is made of it. */
export type NewContinuation = Omit<ContinuationsTable, 'shown'>;

export interface ContinuationsRepository {
  insert(row: NewContinuation): void;
  find(id: string): ContinuationsTable | undefined;
  /** When a task is due and what happens then, without what it holds: that may be much. */
  timeout(id: string): Pick<ContinuationsTable, 'expires_at' | 'on_timeout'> | undefined;
  delete(id: string): void;
  deleteOfRun(runId: string): void;
  /** Keeps the task open past its deadline, which it loses. */
  escalate(id: string, request: string, updatedAt: string): void;
  /** Ids of the newest tasks, newest first. */
  window(filter: TaskFilter): string[];
  /** Tasks by their ids, in this order; those that are gone are left out. */
  read(ids: readonly string[]): ContinuationsTable[];
  /** One page of the window in the order of a column; undefined when the field is none. */
  page(filter: TaskFilter, request: ListRequest): ContinuationsTable[] | undefined;
  count(filter: TaskFilter): number;
  /** Pending tasks past their deadline (epoch seconds). */
  expired(now: number): ContinuationsTable[];
  /** Pending tasks whose deadline is still ahead, the next ones first. */
  nextDeadlines(now: number): { id: string; due: number }[];
}

/** Sort fields of an item that are columns. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  continuation_id: 'id',
  request_id: 'request_id',
  pending_human_request_id: 'request_id',
  status: 'status',
  run_id: 'run_id',
  workflow_kind: 'workflow_kind',
  expires_at: 'expires_at',
  created_at: 'created_at',
};

function where(filter: TaskFilter): { sql: string; values: string[] } {
  const entries = Object.entries({
    run_id: filter.run_id,
    workflow_kind: filter.workflow_kind,
    status: filter.status,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const parts = entries.map(([name]) => `${name} = ?`);
  return {
    sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`,
    values: entries.map(([, value]) => value),
  };
}

export function createContinuationsRepository(
  store: SyncStore<PlatformTables>,
): ContinuationsRepository {
  const { sync } = store;
  const { rowsOfList, THEN_JOIN } = sqlOf(sync);
  const insert = sync.prepare<[ContinuationsTable]>(
    `INSERT INTO continuations (id, run_id, status, workflow_kind, request_id, on_timeout, request,
       payload, expires_at, created_at, updated_at, shown)
     VALUES (@id, @run_id, @status, @workflow_kind, @request_id, @on_timeout, @request,
       @payload, @expires_at, @created_at, @updated_at, @shown)`,
  );
  const find = sync.prepare<[string], ContinuationsTable>(
    'SELECT * FROM continuations WHERE id = ?',
  );
  const timeout = sync.prepare<[string], Pick<ContinuationsTable, 'expires_at' | 'on_timeout'>>(
    'SELECT expires_at, on_timeout FROM continuations WHERE id = ?',
  );
  const remove = sync.prepare<[string]>('DELETE FROM continuations WHERE id = ?');
  const removeOfRun = sync.prepare<[string]>('DELETE FROM continuations WHERE run_id = ?');
  const escalate = sync.prepare<[string, string, string]>(
    `UPDATE continuations
     SET status = 'escalated', request = ?, expires_at = NULL, updated_at = ?, shown = NULL
     WHERE id = ?`,
  );
  const expired = sync.prepare<[number], ContinuationsTable>(
    `SELECT * FROM continuations
     WHERE expires_at IS NOT NULL AND expires_at <= ? AND status = 'pending'
     ORDER BY expires_at LIMIT 100`,
  );
  const nextDeadlines = sync.prepare<[number], { id: string; due: number }>(
    `SELECT id, expires_at AS due FROM continuations
     WHERE expires_at > ? AND status = 'pending' ORDER BY expires_at LIMIT 1000`,
  );
  const column = createColumnQuery(sync);
  const isText = (value: string | number | null): value is string => typeof value === 'string';
  const rows = sync.prepare<[string], ContinuationsTable & { place: number }>(
    `SELECT page.key AS place, continuations.* FROM ${rowsOfList()} AS page
     ${THEN_JOIN} continuations ON continuations.id = page.value`,
  );
  const read = (ids: readonly string[]): ContinuationsTable[] =>
    rows
      .all(JSON.stringify(ids))
      .sort((a, b) => a.place - b.place)
      .map(({ place: _place, ...row }) => row);
  return {
    insert: (row) => void insert.run({ ...row, shown: taskItemText(row) }),
    find: (id) => find.get(id),
    timeout: (id) => timeout.get(id),
    delete: (id) => void remove.run(id),
    deleteOfRun: (runId) => void removeOfRun.run(runId),
    escalate: (id, request, updatedAt) => void escalate.run(request, updatedAt, id),
    window(filter) {
      const { sql, values } = where(filter);
      return column(
        `SELECT id FROM continuations ${sql} ORDER BY created_at DESC, id LIMIT ${LIST_WINDOW}`,
        values,
      ).filter(isText);
    },
    read,
    page(filter, request) {
      const { sort_by: sort, sort_order: order, limit, offset } = request;
      const field = Object.hasOwn(SORT_COLUMNS, sort) ? SORT_COLUMNS[sort] : undefined;
      if (field === undefined) return undefined;
      const { sql, values } = where(filter);
      const ids = column(
        `SELECT found FROM (
           SELECT id AS found, ${field} AS sorted, created_at AS made FROM continuations ${sql}
           ORDER BY created_at DESC, id LIMIT ${LIST_WINDOW}) AS newest
         ORDER BY (sorted IS NULL) ${order}, sorted ${order}, made DESC, found LIMIT ? OFFSET ?`,
        [...values, limit, offset],
      );
      return read(ids.filter(isText));
    },
    count(filter) {
      const { sql, values } = where(filter);
      return numberOf(column(`SELECT count(*) FROM continuations ${sql}`, values));
    },
    expired: (now) => expired.all(now),
    nextDeadlines: (now) => nextDeadlines.all(now),
  };
}
