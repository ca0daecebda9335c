import type { IdempotencyRecordsTable, PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { IdempotencyIdentity } from '../pending-record.ts';

export interface IdempotencyRecords {
  find(identity: IdempotencyIdentity): IdempotencyRecordsTable | undefined;
  /** Keeps the first record of an identity; false when there is one already. */
  insert(record: IdempotencyRecordsTable): boolean;
}

export function createIdempotencyRecords(store: SyncStore<PlatformTables>): IdempotencyRecords {
  const find = store.sync.prepare<[IdempotencyIdentity], IdempotencyRecordsTable>(
    `SELECT * FROM idempotency_records
     WHERE principal = @principal AND method = @method AND path = @path AND key = @key`,
  );
  const insert = store.sync.prepare<[IdempotencyRecordsTable]>(
    `INSERT INTO idempotency_records (principal, method, path, key, scope, request_hash,
       status_code, body, created_at, updated_at)
     VALUES (@principal, @method, @path, @key, @scope, @request_hash,
       @status_code, @body, @created_at, @updated_at)
     ON CONFLICT DO NOTHING`,
  );
  return {
    find: (identity) => find.get(identity),
    insert: (record) => insert.run(record).changes > 0,
  };
}
