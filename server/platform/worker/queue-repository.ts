import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunQueueTable } from '../../store/platform-tables.ts';

/** Times are epoch seconds (contract/platform.md 6.5). */
export interface QueueRepository {
  insert(runId: string, now: number): void;
  find(runId: string): RunQueueTable | undefined;
  /** Takes the oldest due row or one whose lease has run out; one more attempt, leased to the owner. */
  claim(owner: string, now: number, leaseUntil: number): RunQueueTable | undefined;
  /** Extends the lease while the owner still holds it. */
  extend(runId: string, owner: string, leaseUntil: number, now: number): boolean;
  /** Closes the row while the owner still holds it. */
  close(runId: string, owner: string, status: 'completed' | 'failed', now: number): boolean;
  /** Closes the row whoever holds it, because the run ended by other means. */
  end(runId: string, status: 'completed' | 'failed', now: number): void;
  /** Rows that were leased when the last process stopped are due again. */
  expireAllLeases(now: number): number;
  /** Leases whose owner begins so are due again; answers how many. */
  expireLeasesOf(owner: string): number;
  /** True when a worker would find work. */
  hasDue(now: number): boolean;
  /** Expired leases at or past the attempt cap. */
  exhausted(now: number, maxAttempts: number): RunQueueTable[];
  depth(): number;
  counts(now: number): { queued: number; running: number; failed: number };
}

const CLAIM = `UPDATE run_queue
  SET status = 'running', attempts = attempts + 1, lease_owner = @owner,
      lease_expires_at = @leaseUntil, updated_at = @now
  WHERE run_id = (
    SELECT run_id FROM run_queue
    WHERE (status = 'queued' AND available_at <= @now)
       OR (status = 'running' AND (lease_expires_at IS NULL OR lease_expires_at <= @now))
    ORDER BY available_at, created_at, rowid LIMIT 1)
  RETURNING *`;

export function createQueueRepository(store: Database<PlatformTables>): QueueRepository {
  const { sqlite } = store;
  const insert = sqlite.prepare<[{ id: string; now: number }]>(
    `INSERT INTO run_queue (run_id, status, attempts, available_at, created_at, updated_at)
     VALUES (@id, 'queued', 0, @now, @now, @now)`,
  );
  const find = sqlite.prepare<[string], RunQueueTable>('SELECT * FROM run_queue WHERE run_id = ?');
  const claim = sqlite.prepare<[{ owner: string; now: number; leaseUntil: number }], RunQueueTable>(
    CLAIM,
  );
  const extend = sqlite.prepare<[number, number, string, string]>(
    `UPDATE run_queue SET lease_expires_at = ?, updated_at = ?
     WHERE run_id = ? AND lease_owner = ? AND status = 'running'`,
  );
  const close = sqlite.prepare<[string, number, string, string]>(
    `UPDATE run_queue SET status = ?, lease_owner = NULL, lease_expires_at = NULL, updated_at = ?
     WHERE run_id = ? AND lease_owner = ?`,
  );
  const end = sqlite.prepare<[string, number, string]>(
    `UPDATE run_queue SET status = ?, lease_owner = NULL, lease_expires_at = NULL, updated_at = ?
     WHERE run_id = ? AND status IN ('queued', 'running')`,
  );
  const expireAll = sqlite.prepare<[number]>(
    "UPDATE run_queue SET lease_expires_at = ? WHERE status = 'running'",
  );
  const expireOf = sqlite.prepare<[string, string]>(
    `UPDATE run_queue SET lease_expires_at = 0
     WHERE status = 'running' AND lease_owner > ? AND lease_owner < ?`,
  );
  const due = sqlite.prepare<[{ now: number }], { due: number }>(
    `SELECT EXISTS (SELECT 1 FROM run_queue WHERE status = 'queued' AND available_at <= @now)
       OR EXISTS (SELECT 1 FROM run_queue WHERE status = 'running'
         AND (lease_expires_at IS NULL OR lease_expires_at <= @now)) AS due`,
  );
  const exhausted = sqlite.prepare<[number, number], RunQueueTable>(
    `SELECT * FROM run_queue
     WHERE status = 'running' AND lease_expires_at <= ? AND attempts >= ? LIMIT 100`,
  );
  const depth = sqlite.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM run_queue WHERE status = 'queued'",
  );
  const counts = sqlite.prepare<[number], { queued: number; running: number; failed: number }>(
    `SELECT (SELECT count(*) FROM run_queue WHERE status = 'queued') AS queued,
       (SELECT count(*) FROM run_queue WHERE status = 'running' AND lease_expires_at > ?) AS running,
       (SELECT count(*) FROM run_queue WHERE status = 'failed') AS failed`,
  );
  return {
    insert: (id, now) => void insert.run({ id, now }),
    find: (runId) => find.get(runId),
    claim: (owner, now, leaseUntil) => claim.get({ owner, now, leaseUntil }),
    extend: (runId, owner, until, now) => extend.run(until, now, runId, owner).changes > 0,
    close: (runId, owner, status, now) => close.run(status, now, runId, owner).changes > 0,
    end: (runId, status, now) => void end.run(status, now, runId),
    expireAllLeases: (now) => expireAll.run(now).changes,
    expireLeasesOf: (owner) => expireOf.run(`${owner}.`, `${owner}/`).changes,
    hasDue: (now) => due.get({ now })?.due === 1,
    exhausted: (now, maxAttempts) => exhausted.all(now, maxAttempts),
    depth: () => depth.get()?.n ?? 0,
    counts: (now) => counts.get(now) ?? { queued: 0, running: 0, failed: 0 },
  };
}
