import { sqlOf } from '../../store/dialect.ts';

import type { PlatformTables, RunQueueTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { PlatformConfig } from '../config.ts';
import { createClaim, entryConditions } from './queue-claim-repository.ts';
import type { QueuePlace } from './queue-place.ts';
import { type QueueCount, type QueueStanding, queueStandings } from './queue-standings.ts';

// Who may take which run, and what happens when nobody comes back. The room promises: a run is
// executed by one worker at a time, who holds a lease and a token; what a dead service left is taken
// up again, but not a run that the service died of, and not more often than the attempts allowed.

/**
 * The queue (contract/platform.md 6.5). Times are epoch seconds of the database's clock, which all
 * services on the store share.
 */
export interface QueueRepository {
  insert(runId: string, place: QueuePlace): void;
  /** Queues a leg that is handed over; what the run's entry was before is forgotten. */
  hand(runId: string, place: QueuePlace, leg: string): void;
  /** Stores how a leg ended that was handed over. */
  tellEnd(runId: string, end: string): void;
  find(runId: string): RunQueueTable | undefined;
  /**
   * Takes the next due row (`next-run.ts`) or, unless `expired` is false, one whose lease has run
   * out; one more attempt, leased to the owner. Within the caller's transaction.
   */
  claim(owner: string, leaseSeconds: number, expired?: boolean): RunQueueTable | undefined;
  /** Extends the lease while the owner still holds it. */
  extend(runId: string, owner: string, leaseSeconds: number): boolean;
  /** Closes the row while the owner still holds it. */
  close(runId: string, owner: string, status: 'completed' | 'failed'): boolean;
  /** Closes the row whoever holds it, because the run ended by other means. */
  end(runId: string, status: 'completed' | 'failed'): void;
  leased(): Pick<RunQueueTable, 'run_id' | 'lease_owner'>[];
  /** A lease of this owner is due again at once; answers 1 or 0. */
  expireLease(runId: string, owner: string): number;
  /** Leases whose owner begins so are due again; answers how many. */
  expireLeasesOf(owner: string): number;
  /** Rows whose time to begin lies ahead because the clock was set back are due; answers how many. */
  catchUp(): number;
  /** True when something waits for a worker; it may be at a limit. */
  hasDue(): boolean;
  /** Expired leases at or past the attempt cap. */
  exhausted(maxAttempts: number): RunQueueTable[];
  depth(): number;
  counts(): { queued: number; running: number; failed: number };
  /** How each queue stands. */
  standings(): QueueStanding[];
}

const RELEASED = 'lease_owner = NULL, lease_expires_at = NULL';

export function createQueueRepository(
  store: SyncStore<PlatformTables>,
  config: PlatformConfig['queue'],
): QueueRepository {
  const { sync } = store;
  const { DATABASE_NOW } = sqlOf(sync);
  const { queued, expired } = entryConditions(sync);
  const insert = sync.prepare<[QueuePlace & { run_id: string }]>(
    `INSERT INTO run_queue (run_id, status, attempts, available_at, created_at, updated_at, queue,
       rank, workflow, caller, concurrency_key)
     VALUES (@run_id, 'queued', 0, ${DATABASE_NOW}, ${DATABASE_NOW}, ${DATABASE_NOW}, @queue,
       ${DATABASE_NOW} - @head_start, @workflow, @caller, @concurrency_key)`,
  );
  const hand = sync.prepare<[QueuePlace & { run_id: string; handed: string }]>(
    `INSERT INTO run_queue (run_id, status, attempts, available_at, created_at, updated_at, queue,
       rank, workflow, caller, concurrency_key, handed)
     VALUES (@run_id, 'queued', 0, ${DATABASE_NOW}, ${DATABASE_NOW}, ${DATABASE_NOW}, @queue,
       ${DATABASE_NOW} - @head_start, @workflow, @caller, @concurrency_key, @handed)
     ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, attempts = 0, ${RELEASED},
       available_at = excluded.available_at, created_at = excluded.created_at,
       updated_at = excluded.updated_at, queue = excluded.queue, rank = excluded.rank,
       workflow = excluded.workflow, caller = excluded.caller,
       concurrency_key = excluded.concurrency_key, handed = excluded.handed, leg_end = NULL`,
  );
  const tellEnd = sync.prepare<[string, string]>(
    'UPDATE run_queue SET leg_end = ? WHERE run_id = ?',
  );
  const find = sync.prepare<[string], RunQueueTable>('SELECT * FROM run_queue WHERE run_id = ?');
  const claim = createClaim(store, config);
  const extend = sync.prepare<[number, string, string]>(
    `UPDATE run_queue
     SET lease_expires_at = ${DATABASE_NOW} + ?, updated_at = ${DATABASE_NOW}
     WHERE run_id = ? AND lease_owner = ? AND status = 'running'`,
  );
  const close = sync.prepare<[string, string, string]>(
    `UPDATE run_queue SET status = ?, ${RELEASED}, updated_at = ${DATABASE_NOW}
     WHERE run_id = ? AND lease_owner = ?`,
  );
  const end = sync.prepare<[string, string]>(
    `UPDATE run_queue SET status = ?, ${RELEASED}, updated_at = ${DATABASE_NOW}
     WHERE run_id = ? AND status IN ('queued', 'running')`,
  );
  const leased = sync.prepare<[], Pick<RunQueueTable, 'run_id' | 'lease_owner'>>(
    "SELECT run_id, lease_owner FROM run_queue WHERE status = 'running'",
  );
  const expire = sync.prepare<[string, string]>(
    `UPDATE run_queue SET lease_expires_at = 0
     WHERE status = 'running' AND run_id = ? AND lease_owner = ?`,
  );
  const expireOf = sync.prepare<[string, string]>(
    `UPDATE run_queue SET lease_expires_at = 0
     WHERE status = 'running' AND lease_owner > ? AND lease_owner < ?`,
  );
  const catchUp = sync.prepare<[]>(
    `UPDATE run_queue
     SET rank = rank - (available_at - ${DATABASE_NOW}), available_at = ${DATABASE_NOW}
     WHERE status = 'queued' AND available_at > ${DATABASE_NOW} + 1`,
  );
  const due = sync.prepare<[], { due: number }>(
    `SELECT EXISTS (SELECT 1 FROM run_queue WHERE ${queued})
       OR EXISTS (SELECT 1 FROM run_queue WHERE ${expired}) AS due`,
  );
  const exhausted = sync.prepare<[number], RunQueueTable>(
    `SELECT * FROM run_queue WHERE status = 'running' AND lease_expires_at <= ${DATABASE_NOW}
       AND attempts >= ? LIMIT 100`,
  );
  const depth = sync.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM run_queue WHERE status = 'queued'",
  );
  const counts = sync.prepare<[], { queued: number; running: number; failed: number }>(
    `SELECT (SELECT count(*) FROM run_queue WHERE status = 'queued') AS queued,
       (SELECT count(*) FROM run_queue
        WHERE status = 'running' AND lease_expires_at > ${DATABASE_NOW}) AS running,
       (SELECT count(*) FROM run_queue WHERE status = 'failed') AS failed`,
  );
  const byQueue = sync.prepare<[], QueueCount>(
    `SELECT queue, count(CASE WHEN status = 'queued' THEN 1 END) AS queued,
       count(CASE WHEN status = 'running' THEN 1 END) AS running
     FROM run_queue WHERE status IN ('queued', 'running') GROUP BY queue`,
  );
  return {
    insert: (id, place) => void insert.run({ run_id: id, ...place }),
    hand: (id, place, leg) => void hand.run({ run_id: id, ...place, handed: leg }),
    tellEnd: (runId, end) => void tellEnd.run(end, runId),
    find: (runId) => find.get(runId),
    claim: (owner, lease, expired = true) => claim(owner, lease, expired),
    extend: (runId, owner, lease) => extend.run(lease, runId, owner).changes > 0,
    close: (runId, owner, status) => close.run(status, runId, owner).changes > 0,
    end: (runId, status) => void end.run(status, runId),
    leased: () => leased.all(),
    expireLease: (runId, owner) => expire.run(runId, owner).changes,
    expireLeasesOf: (owner) => expireOf.run(`${owner}.`, `${owner}/`).changes,
    catchUp: () => catchUp.run().changes,
    hasDue: () => due.get()?.due === 1,
    exhausted: (maxAttempts) => exhausted.all(maxAttempts),
    depth: () => depth.get()?.n ?? 0,
    standings: () => queueStandings(byQueue.all(), config),
    counts: () => counts.get() ?? { queued: 0, running: 0, failed: 0 },
  };
}
