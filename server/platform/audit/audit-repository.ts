import type { AuditEventsTable, PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { AuditPages } from './audit-pages.ts';
import { createAuditPages } from './audit-pages-repository.ts';

export interface AuditRepository extends AuditPages {
  insert(event: AuditEventsTable): void;
  /** Whether an event is stored. */
  holds(id: string): boolean;
}

export function createAuditRepository(store: SyncStore<PlatformTables>): AuditRepository {
  const insert = store.sync.prepare<[AuditEventsTable]>(
    `INSERT INTO audit_events (id, event_type, run_id, continuation_id, actor, metadata, created_at)
     VALUES (@id, @event_type, @run_id, @continuation_id, @actor, @metadata, @created_at)`,
  );
  const held = store.sync.prepare<[string]>('SELECT 1 FROM audit_events WHERE id = ?');
  return {
    ...createAuditPages(store),
    insert: (event) => void insert.run(event),
    holds: (id) => held.get(id) !== undefined,
  };
}
