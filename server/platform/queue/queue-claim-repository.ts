import { byDialect, sqlOf } from '../../store/dialect.ts';
import type { PlatformTables, RunQueueTable } from '../../store/platform-tables.ts';
import type { SyncConnection, SyncStore } from '../../store/sync-connection.ts';
import type { ConcurrencyLimits } from '../execution-limits.ts';
import { fullGroups, type GroupCount, nextQueue } from './next-run.ts';
import * as postgres from './queue-claim-postgres.ts';
import * as sqlite from './queue-claim-sqlite.ts';
import { DEFAULT_QUEUE } from './queue-place.ts';

/** Conditions of entries at this moment. */
export function entryConditions(sync: SyncConnection) {
  const { DATABASE_NOW } = sqlOf(sync);
  return {
    /** It is due. */
    queued: `run_queue.status = 'queued' AND run_queue.available_at <= ${DATABASE_NOW}`,
    /** Its holder has gone silent. */
    expired: `run_queue.status = 'running' AND (run_queue.lease_expires_at IS NULL
      OR run_queue.lease_expires_at <= ${DATABASE_NOW})`,
  };
}

/** Queues in which something waits; each is found by one step in the index. */
const WAITING_QUEUES = `WITH RECURSIVE waiting (queue) AS (
    SELECT min(queue) FROM run_queue WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT min(queue) FROM run_queue WHERE status = 'queued' AND queue > waiting.queue)
    FROM waiting WHERE waiting.queue IS NOT NULL)
  SELECT queue FROM waiting WHERE queue IS NOT NULL`;

interface Head {
  readonly run_id: string;
  readonly queue: string;
  readonly rank: number;
}

function textsOf(sync: SyncConnection) {
  const { DATABASE_NOW, ROW, rowsOfList } = sqlOf(sync);
  const { ENTRIES, CHOSEN, takeAtOnce } = byDialect(sync, { sqlite, postgres });
  const { queued, expired: isExpired } = entryConditions(sync);
  const take = `UPDATE run_queue
    SET status = 'running', attempts = attempts + 1, lease_owner = @owner,
      lease_expires_at = ${DATABASE_NOW} + @lease, updated_at = ${DATABASE_NOW}`;
  const isFree = (column: string, names: `@${string}`): string =>
    `(run_queue.${column} IS NULL OR run_queue.${column} NOT IN (
      SELECT value FROM ${rowsOfList(names)} AS full_ones))`;
  // What goes on after its holder went silent goes before what has not begun, the oldest first.
  const expired = `SELECT run_queue.run_id FROM ${ENTRIES} WHERE ${isExpired}
    ORDER BY run_queue.available_at, run_queue.created_at, run_queue.${ROW} LIMIT 1 ${CHOSEN}`;
  // Entries of one rank go as they came.
  const order = `ORDER BY run_queue.rank, run_queue.created_at, run_queue.${ROW} LIMIT 1 ${CHOSEN}`;
  // One that counts towards a key is looked at more closely.
  const next = `SELECT run_id FROM (
    SELECT run_queue.run_id, run_queue.concurrency_key FROM ${ENTRIES}
    WHERE run_queue.queue = '${DEFAULT_QUEUE}' AND ${queued} ${order}) AS head
    WHERE concurrency_key IS NULL`;
  return {
    take: `${take} WHERE run_id = @run_id RETURNING *`,
    takeExpired: `${take} WHERE run_id = (${expired}) RETURNING *`,
    takeAtOnce: takeAtOnce(take, { expired, next }),
    /** The first entry of a queue that is due and at no limit. */
    head: `SELECT run_queue.run_id, run_queue.queue, run_queue.rank FROM ${ENTRIES}
      WHERE run_queue.queue = @queue AND ${queued} AND ${isFree('workflow', '@workflows')}
        AND ${isFree('caller', '@callers')} AND ${isFree('concurrency_key', '@keys')} ${order}`,
  };
}

/** Takes the next entry for an owner; in the caller's transaction. */
export type Claim = (
  owner: string,
  leaseSeconds: number,
  expired: boolean,
) => RunQueueTable | undefined;

/** True where more than the key of an entry may be at a limit. */
function limitsMany({ queues, workflows, callers }: ConcurrencyLimits): boolean {
  return queues.size + workflows.size + callers.size > 0;
}

/** The claim of the next entry, by the order that `next-run.ts` promises. */
export function createClaim(
  { sync }: Pick<SyncStore<PlatformTables>, 'sync'>,
  limits: ConcurrencyLimits,
): Claim {
  type Owner = { readonly owner: string; readonly lease: number };
  const texts = textsOf(sync);
  const { COUNTING } = byDialect(sync, { sqlite, postgres });
  const isLimited = limitsMany(limits) || limits.perKey > 0;
  const takeExpired = sync.prepare<[Owner], RunQueueTable>(texts.takeExpired);
  const take = sync.prepare<[Owner & { run_id: string }], RunQueueTable>(texts.take);
  const atOnce =
    limitsMany(limits) || texts.takeAtOnce === undefined
      ? undefined
      : sync.prepare<[Owner & { expired: number }], RunQueueTable>(texts.takeAtOnce);
  const counting = isLimited && COUNTING !== undefined ? sync.prepare<[]>(COUNTING) : undefined;
  const waiting = sync.prepare<[], { queue: string }>(WAITING_QUEUES);
  const executing = sync.prepare<[], GroupCount>(
    `SELECT queue, workflow, caller, concurrency_key, count(*) AS runs FROM run_queue
     WHERE status = 'running' GROUP BY queue, workflow, caller, concurrency_key`,
  );
  const head = sync.prepare<
    [{ queue: string; workflows: string; callers: string; keys: string }],
    Head
  >(texts.head);
  const turns = sync.prepare<[], { queue: string; turn: number }>(
    'SELECT queue, turn FROM queue_turns',
  );
  const turn = sync.prepare<[string]>(
    `INSERT INTO queue_turns (queue, turn)
     SELECT ?, coalesce(max(turn), 0) + 1 FROM queue_turns WHERE true
     ON CONFLICT (queue) DO UPDATE SET turn = excluded.turn`,
  );

  const heads = (): Head[] => {
    const names = waiting.all();
    if (names.length === 0) return [];
    const full = fullGroups(isLimited ? executing.all() : [], limits);
    const lists = {
      workflows: JSON.stringify(full.workflows),
      callers: JSON.stringify(full.callers),
      keys: JSON.stringify(full.keys),
    };
    return names
      .filter(({ queue }) => !full.queues.includes(queue))
      .flatMap(({ queue }) => head.get({ queue, ...lists }) ?? []);
  };
  const choose = (found: readonly Head[]): Head | undefined => {
    if (found.length < 2) return found[0];
    const served = new Map(turns.all().map(({ queue, turn: at }) => [queue, at]));
    const chosen = nextQueue(found, served);
    if (chosen !== undefined) turn.run(chosen.queue);
    return chosen;
  };
  return (owner, lease, expired) => {
    const next = atOnce?.get({ owner, lease, expired: Number(expired) });
    if (next !== undefined) return next;
    counting?.run();
    const left = expired && atOnce === undefined ? takeExpired.get({ owner, lease }) : undefined;
    if (left !== undefined) return left;
    const chosen = choose(heads());
    return chosen === undefined ? undefined : take.get({ owner, lease, run_id: chosen.run_id });
  };
}
