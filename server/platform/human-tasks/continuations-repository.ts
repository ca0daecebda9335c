import type { Database } from '../../store/open-database.ts';
import type { ContinuationsTable, PlatformTables } from '../../store/platform-tables.ts';

export interface TaskFilter {
  readonly run_id: string | undefined;
  readonly workflow_kind: string | undefined;
  readonly status: 'pending' | 'escalated' | undefined;
}

export interface ContinuationsRepository {
  insert(row: ContinuationsTable): void;
  find(id: string): ContinuationsTable | undefined;
  delete(id: string): void;
  deleteOfRun(runId: string): void;
  /** Keeps the task open past its deadline. */
  escalate(id: string, request: string, updatedAt: string): void;
  list(filter: TaskFilter, limit: number): ContinuationsTable[];
  count(filter: TaskFilter): number;
  /** Pending tasks past their deadline (epoch seconds). */
  expired(now: number): ContinuationsTable[];
}

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
  store: Database<PlatformTables>,
): ContinuationsRepository {
  const { sqlite } = store;
  const insert = sqlite.prepare<[ContinuationsTable]>(
    `INSERT INTO continuations (id, run_id, status, workflow_kind, request_id, on_timeout, request,
       payload, expires_at, created_at, updated_at)
     VALUES (@id, @run_id, @status, @workflow_kind, @request_id, @on_timeout, @request,
       @payload, @expires_at, @created_at, @updated_at)`,
  );
  const find = sqlite.prepare<[string], ContinuationsTable>(
    'SELECT * FROM continuations WHERE id = ?',
  );
  const remove = sqlite.prepare<[string]>('DELETE FROM continuations WHERE id = ?');
  const removeOfRun = sqlite.prepare<[string]>('DELETE FROM continuations WHERE run_id = ?');
  const escalate = sqlite.prepare<[string, string, string]>(
    "UPDATE continuations SET status = 'escalated', request = ?, updated_at = ? WHERE id = ?",
  );
  const expired = sqlite.prepare<[number], ContinuationsTable>(
    `SELECT * FROM continuations
     WHERE expires_at IS NOT NULL AND expires_at <= ? AND status = 'pending'
     ORDER BY expires_at LIMIT 100`,
  );
  return {
    insert: (row) => void insert.run(row),
    find: (id) => find.get(id),
    delete: (id) => void remove.run(id),
    deleteOfRun: (runId) => void removeOfRun.run(runId),
    escalate: (id, request, updatedAt) => void escalate.run(request, updatedAt, id),
    list(filter, limit) {
      const { sql, values } = where(filter);
      return sqlite
        .prepare<(string | number)[], ContinuationsTable>(
          `SELECT * FROM continuations ${sql} ORDER BY created_at DESC, id LIMIT ?`,
        )
        .all(...values, limit);
    },
    count(filter) {
      const { sql, values } = where(filter);
      const row = sqlite
        .prepare<string[], { n: number }>(`SELECT count(*) AS n FROM continuations ${sql}`)
        .get(...values);
      return row?.n ?? 0;
    },
    expired: (now) => expired.all(now),
  };
}
