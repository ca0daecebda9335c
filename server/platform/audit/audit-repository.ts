import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { Database } from '../../store/open-database.ts';
import type { AuditEventsTable, PlatformTables } from '../../store/platform-tables.ts';

export interface AuditFilter {
  readonly event_type: string | undefined;
  readonly run_id: string | undefined;
}

export interface AuditRepository {
  insert(event: AuditEventsTable): void;
  count(filter: AuditFilter): number;
  /** The newest matches, newest first, at most `limit` from `offset`. */
  newest(filter: AuditFilter, limit: number, offset: number): AuditEventsTable[];
}

/** True when the store's own order answers the list, so that a page needs no window. */
export function isNewestFirst(request: ListRequest): boolean {
  return request.sort_by === 'created_at' && request.sort_order === 'desc';
}

export function createAuditRepository(store: Database<PlatformTables>): AuditRepository {
  const insert = store.sqlite.prepare<[AuditEventsTable]>(
    `INSERT INTO audit_events (id, event_type, run_id, continuation_id, actor, metadata, created_at)
     VALUES (@id, @event_type, @run_id, @continuation_id, @actor, @metadata, @created_at)`,
  );
  const where = (filter: AuditFilter): { sql: string; values: string[] } => {
    const parts: string[] = [];
    const values: string[] = [];
    if (filter.event_type !== undefined) {
      parts.push('event_type = ?');
      values.push(filter.event_type);
    }
    if (filter.run_id !== undefined) {
      parts.push('run_id = ?');
      values.push(filter.run_id);
    }
    return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
  };
  return {
    insert: (event) => void insert.run(event),
    count(filter) {
      const { sql, values } = where(filter);
      const row = store.sqlite
        .prepare<string[], { n: number }>(`SELECT count(*) AS n FROM audit_events ${sql}`)
        .get(...values);
      return row?.n ?? 0;
    },
    newest(filter, limit, offset) {
      const { sql, values } = where(filter);
      return store.sqlite
        .prepare<(string | number)[], AuditEventsTable>(
          `SELECT * FROM audit_events ${sql} ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
        )
        .all(...values, Math.min(limit, LIST_WINDOW), offset);
    },
  };
}
