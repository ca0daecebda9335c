import { LIST_WINDOW } from '../../contract/platform/limits.ts';

import { sqlOf } from '../../store/dialect.ts';
import type { AuditEventsTable, PlatformTables } from '../../store/platform-tables.ts';
import { createColumnQuery, numberOf } from '../../store/statement-cache.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { AuditFilter, AuditPages, PlacedEvent } from './audit-pages.ts';

const COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'event_type',
  'run_id',
  'continuation_id',
  'actor',
  'created_at',
]);

/** An event's place is its row number. */
export function createAuditPages(store: SyncStore<PlatformTables>): AuditPages {
  const where = (filter: AuditFilter): { sql: string; values: string[] } => {
    const asked = [
      ['event_type = ?', filter.event_type],
      ['run_id = ?', filter.run_id],
      ['created_at >= ?', filter.created_after],
      ['created_at < ?', filter.created_before],
    ] as const;
    const parts: string[] = [];
    const values: string[] = [];
    for (const [sql, value] of asked) {
      if (value === undefined) continue;
      parts.push(sql);
      values.push(value);
    }
    return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
  };
  const { ROW, rowsOfNumbers, THEN_JOIN } = sqlOf(store.sync);
  const column = createColumnQuery(store.sync);
  const isNumber = (value: string | number | null): value is number => typeof value === 'number';
  /**
   * Newest first, of the same moment the last one first. An index gives the moments in their order,
   * but not what shares one; so what is sorted is only what is no older than the last one wanted.
   */
  const newest = (filter: AuditFilter, limit: number, offset: number): number[] => {
    const { sql, values } = where(filter);
    if (limit === 0) return [];
    const last = `SELECT created_at FROM audit_events ${sql} ORDER BY created_at DESC LIMIT 1 OFFSET ?`;
    const [oldest = ''] = column(last, [...values, offset + limit - 1]);
    return column(
      `SELECT ${ROW} FROM audit_events ${sql === '' ? 'WHERE' : `${sql} AND`} created_at >= ?
       ORDER BY created_at DESC, ${ROW} DESC LIMIT ? OFFSET ?`,
      [...values, oldest ?? '', limit, offset],
    ).filter(isNumber);
  };
  const columns = [...COLUMNS, 'metadata'].map((name) => `audit_events.${name}`).join(', ');
  const rows = store.sync.prepare<[string], AuditEventsTable & { at: number; place: number }>(
    `SELECT page.key AS at, page.value AS place, ${columns} FROM ${rowsOfNumbers()} AS page
     ${THEN_JOIN} audit_events ON audit_events.${ROW} = page.value`,
  );
  const read = (places: readonly number[]): PlacedEvent[] =>
    rows
      .all(JSON.stringify(places))
      .sort((a, b) => a.at - b.at)
      .map(({ at: _at, place, ...row }) => ({ place, row }));
  return {
    count(filter) {
      const { sql, values } = where(filter);
      return numberOf(column(`SELECT count(*) FROM audit_events ${sql}`, values));
    },
    page(filter, request) {
      const { sort_by: sort, sort_order: order, limit, offset } = request;
      if (!COLUMNS.has(sort)) return undefined;
      if (sort === 'created_at' && order === 'desc') {
        const reach = Math.max(0, Math.min(limit, LIST_WINDOW - offset));
        return read(newest(filter, reach, offset));
      }
      const window = JSON.stringify(newest(filter, LIST_WINDOW, 0));
      const sorted = column(
        `SELECT page.value FROM ${rowsOfNumbers()} AS page
         ${THEN_JOIN} audit_events ON audit_events.${ROW} = page.value
         ORDER BY (audit_events.${sort} IS NULL) ${order}, audit_events.${sort} ${order}, page.key
         LIMIT ? OFFSET ?`,
        [window, limit, offset],
      );
      return read(sorted.filter(isNumber));
    },
    window: (filter) => newest(filter, LIST_WINDOW, 0),
    read,
  };
}
