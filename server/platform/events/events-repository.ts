import { sqlOf } from '../../store/dialect.ts';

import type {
  EventDeliveriesTable,
  OutgoingEventsTable,
  PlatformTables,
  WebhooksTable,
} from '../../store/platform-tables.ts';
import { askAllLater, type SyncStore } from '../../store/sync-connection.ts';

export type DeliveryRow = Omit<EventDeliveriesTable, 'due_at'> &
  Pick<OutgoingEventsTable, 'type' | 'run_id'>;

/** A delivery that is due, with what is sent where. */
export interface DueDelivery
  extends Pick<WebhooksTable, 'url' | 'secret' | 'previous_secret' | 'previous_until'> {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly attempts: number;
  readonly due_at: number;
  readonly payload: string;
}

type Receiver = Pick<WebhooksTable, 'id' | 'events'>;
type Counts = { webhook_id: string; status: string; n: number };
interface DeliveryFilter {
  readonly status: string | undefined;
  readonly webhook_id: string | undefined;
}

/** Receivers, events and their deliveries as rows. */
export interface EventsRepository {
  /** Receivers that are switched on. */
  receivers(): Receiver[];
  /** The same, asked with the next statement. */
  receiversLater(): () => Receiver[];
  insertEvent(row: OutgoingEventsTable): boolean;
  insertDelivery(webhookId: string, eventId: string, at: string): void;
  webhooks(): WebhooksTable[];
  webhook(id: string): WebhooksTable | undefined;
  /** Stores a receiver; how its last attempts ended stays. */
  saveWebhook(row: WebhooksTable): void;
  deleteWebhook(id: string): boolean;
  counts(): Counts[];
  /** The oldest due delivery of each receiver that is switched on. */
  due(): DueDelivery[];
  /** Keeps others off a delivery for so many seconds; false when somebody else took it. */
  take(delivery: DueDelivery, seconds: number): boolean;
  /** Gives a delivery that was taken back, as it was. */
  release(delivery: DueDelivery): void;
  /** Notes a success, at the receiver too. */
  delivered(delivery: DueDelivery, at: string): void;
  /** Tries again after so many seconds, or gives it up; noted at the receiver too. */
  failed(delivery: DueDelivery, error: string, retrySeconds: number | null, at: string): void;
  list(filter: DeliveryFilter, limit: number): DeliveryRow[];
  count(filter: DeliveryFilter): number;
  /** Dead deliveries of a receiver wait again, from their first attempt; one event, or all. */
  repeat(webhookId: string, eventId: string | null, at: string): number;
  /** Removes events made before that time whose deliveries wait no more. */
  removeBefore(at: string): number;
}

export function createEventsRepository(store: SyncStore<PlatformTables>): EventsRepository {
  const { sync } = store;
  const { DATABASE_NOW } = sqlOf(sync);
  const receivers = sync.prepare<[], Receiver>('SELECT id, events FROM webhooks WHERE enabled = 1');
  const insertEvent = sync.prepare<[OutgoingEventsTable]>(
    `INSERT INTO outgoing_events (id, type, run_id, payload, created_at)
     VALUES (@id, @type, @run_id, @payload, @created_at) ON CONFLICT (id) DO NOTHING`,
  );
  const insertDelivery = sync.prepare<[{ webhook: string; event: string; at: string }]>(
    `INSERT INTO event_deliveries (webhook_id, event_id, status, due_at, created_at, updated_at)
     VALUES (@webhook, @event, 'waiting', ${DATABASE_NOW}, @at, @at)`,
  );
  const webhooks = sync.prepare<[], WebhooksTable>(
    'SELECT * FROM webhooks ORDER BY created_at, id',
  );
  const webhook = sync.prepare<[string], WebhooksTable>('SELECT * FROM webhooks WHERE id = ?');
  const saveWebhook = sync.prepare<[WebhooksTable]>(
    `INSERT INTO webhooks (id, url, description, events, enabled, disabled_because, secret,
       previous_secret, previous_until, created_at, updated_at)
     VALUES (@id, @url, @description, @events, @enabled, @disabled_because, @secret,
       @previous_secret, @previous_until, @created_at, @updated_at)
     ON CONFLICT (id) DO UPDATE SET url = excluded.url, description = excluded.description,
       events = excluded.events, enabled = excluded.enabled,
       disabled_because = excluded.disabled_because, secret = excluded.secret,
       previous_secret = excluded.previous_secret, previous_until = excluded.previous_until,
       updated_at = excluded.updated_at`,
  );
  const deleteWebhook = sync.prepare<[string]>('DELETE FROM webhooks WHERE id = ?');
  const counts = sync.prepare<[], Counts>(
    `SELECT webhook_id, status, count(*) AS n FROM event_deliveries
     WHERE status IN ('waiting', 'dead') GROUP BY webhook_id, status`,
  );
  const due = sync.prepare<[], DueDelivery>(
    `SELECT d.webhook_id, d.event_id, d.attempts, d.due_at, e.payload, w.url, w.secret,
       w.previous_secret, w.previous_until
     FROM webhooks w
     JOIN event_deliveries d ON d.webhook_id = w.id AND d.event_id = (
       SELECT event_id FROM event_deliveries
       WHERE webhook_id = w.id AND status = 'waiting' AND due_at <= ${DATABASE_NOW}
       ORDER BY due_at, event_id LIMIT 1)
     JOIN outgoing_events e ON e.id = d.event_id
     WHERE w.enabled = 1 ORDER BY d.due_at LIMIT 100`,
  );
  const take = sync.prepare<[number, string, string, number]>(
    `UPDATE event_deliveries SET due_at = ${DATABASE_NOW} + ?
     WHERE webhook_id = ? AND event_id = ? AND status = 'waiting' AND due_at = ?`,
  );
  const release = sync.prepare<[string, string]>(
    `UPDATE event_deliveries SET due_at = ${DATABASE_NOW}
     WHERE webhook_id = ? AND event_id = ? AND status = 'waiting'`,
  );
  const delivered = sync.prepare<[string, string, string]>(
    `UPDATE event_deliveries
     SET status = 'delivered', attempts = attempts + 1, last_error = NULL, updated_at = ?
     WHERE webhook_id = ? AND event_id = ? AND status = 'waiting'`,
  );
  const succeededAt = sync.prepare<[string, string]>(
    'UPDATE webhooks SET last_success_at = ? WHERE id = ?',
  );
  const failedAt = sync.prepare<[string, string, string]>(
    'UPDATE webhooks SET last_failure_at = ?, last_failure = ? WHERE id = ?',
  );
  const failed = sync.prepare<[string, number, string, string, string, string]>(
    `UPDATE event_deliveries
     SET status = ?, attempts = attempts + 1, due_at = ${DATABASE_NOW} + ?, last_error = ?,
       updated_at = ?
     WHERE webhook_id = ? AND event_id = ? AND status = 'waiting'`,
  );
  type Filter = { status: string | undefined; webhook: string | undefined };
  /** Only what is asked for, so that an index answers it. */
  const whereOf = ({ status, webhook }: Filter): string => {
    const asked = [
      ...(status === undefined ? [] : ['d.status = @status']),
      ...(webhook === undefined ? [] : ['d.webhook_id = @webhook']),
    ];
    return asked.length === 0 ? '' : `WHERE ${asked.join(' AND ')}`;
  };
  const list = (filter: Filter, limit: number): DeliveryRow[] =>
    sync
      .prepare<[Filter & { limit: number }], DeliveryRow>(
        `SELECT d.webhook_id, d.event_id, d.status, d.attempts, d.last_error, d.created_at,
           d.updated_at, e.type, e.run_id
         FROM event_deliveries d JOIN outgoing_events e ON e.id = d.event_id
         ${whereOf(filter)} ORDER BY d.created_at DESC, d.event_id LIMIT @limit`,
      )
      .all({ ...filter, limit });
  const count = (filter: Filter): number =>
    sync
      .prepare<[Filter], { n: number }>(
        `SELECT count(*) AS n FROM event_deliveries d ${whereOf(filter)}`,
      )
      .get(filter)?.n ?? 0;
  const repeat = sync.prepare<[{ at: string; webhook: string; event: string | null }]>(
    `UPDATE event_deliveries SET status = 'waiting', attempts = 0, due_at = ${DATABASE_NOW},
       updated_at = @at
     WHERE webhook_id = @webhook AND status = 'dead' AND (CAST(@event AS TEXT) IS NULL OR event_id = @event)`,
  );
  const removeBefore = sync.prepare<[string]>(
    `DELETE FROM outgoing_events WHERE created_at < ? AND NOT EXISTS (
       SELECT 1 FROM event_deliveries d WHERE d.event_id = outgoing_events.id
         AND d.status = 'waiting')`,
  );
  const valuesOf = ({ status, webhook_id: webhook }: DeliveryFilter): Filter => ({
    status,
    webhook,
  });
  return {
    receivers: () => receivers.all(),
    receiversLater: () => askAllLater(receivers),
    insertEvent: (row) => insertEvent.run(row).changes > 0,
    insertDelivery: (webhookId, eventId, at) =>
      void insertDelivery.run({ webhook: webhookId, event: eventId, at }),
    webhooks: () => webhooks.all(),
    webhook: (id) => webhook.get(id),
    saveWebhook: (row) => void saveWebhook.run(row),
    deleteWebhook: (id) => deleteWebhook.run(id).changes > 0,
    counts: () => counts.all(),
    due: () => due.all(),
    take: ({ webhook_id, event_id, due_at }, seconds) =>
      take.run(seconds, webhook_id, event_id, due_at).changes > 0,
    release: ({ webhook_id, event_id }) => void release.run(webhook_id, event_id),
    delivered: ({ webhook_id, event_id }, at) => {
      delivered.run(at, webhook_id, event_id);
      succeededAt.run(at, webhook_id);
    },
    failed: ({ webhook_id, event_id }, error, retry, at) => {
      const status = retry === null ? 'dead' : 'waiting';
      failed.run(status, retry ?? 0, error, at, webhook_id, event_id);
      failedAt.run(at, error, webhook_id);
    },
    list: (filter, limit) => list(valuesOf(filter), limit),
    count: (filter) => count(valuesOf(filter)),
    repeat: (webhookId, eventId, at) =>
      repeat.run({ at, webhook: webhookId, event: eventId }).changes,
    removeBefore: (at) => removeBefore.run(at).changes,
  };
}
