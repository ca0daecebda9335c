import { DATABASE_NOW, rowsOfList } from '../../store/dialect-sqlite.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunQueueTable } from '../../store/platform-tables.ts';
import type { ConcurrencyLimits } from '../execution-limits.ts';
import { fullGroups, type GroupCount, nextQueue } from './next-run.ts';

/** An entry that is due. */
export const QUEUED = `status = 'queued' AND available_at <= ${DATABASE_NOW}`;
/** An entry whose holder has gone silent. */
export const EXPIRED = `status = 'running' AND (lease_expires_at IS NULL OR lease_expires_at <= ${DATABASE_NOW})`;

const TAKE = `UPDATE run_queue
  SET status = 'running', attempts = attempts + 1, lease_owner = @owner,
      lease_expires_at = ${DATABASE_NOW} + @lease, updated_at = ${DATABASE_NOW}`;

/** What goes on after its holder went silent goes before what has not begun, the oldest first. */
const TAKE_EXPIRED = `${TAKE}
  WHERE run_id = (SELECT run_id FROM run_queue WHERE ${EXPIRED}
    ORDER BY available_at, created_at, rowid LIMIT 1)
  RETURNING *`;

/** Queues in which something waits; each is found by one step in the index. */
const WAITING_QUEUES = `WITH RECURSIVE waiting (queue) AS (
    SELECT min(queue) FROM run_queue WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT min(queue) FROM run_queue WHERE status = 'queued' AND queue > waiting.queue)
    FROM waiting WHERE waiting.queue IS NOT NULL)
  SELECT queue FROM waiting WHERE queue IS NOT NULL`;

const isFree = (column: string, names: `@${string}`): string =>
  `(${column} IS NULL OR ${column} NOT IN (SELECT value FROM ${rowsOfList(names)}))`;

/** The first entry of a queue that is due and at no limit. Entries of one rank go as they came. */
const HEAD = `SELECT run_id, queue, rank FROM run_queue
  WHERE queue = @queue AND ${QUEUED} AND ${isFree('workflow', '@workflows')}
    AND ${isFree('caller', '@callers')} AND ${isFree('concurrency_key', '@keys')}
  ORDER BY rank, created_at, rowid LIMIT 1`;

interface Head {
  readonly run_id: string;
  readonly queue: string;
  readonly rank: number;
}

/** Takes the next entry for an owner; in the caller's transaction. */
export type Claim = (
  owner: string,
  leaseSeconds: number,
  expired: boolean,
) => RunQueueTable | undefined;

/** The claim of the next entry, by the order that `next-run.ts` promises. */
export function createClaim(
  { sqlite }: Pick<Database<PlatformTables>, 'sqlite'>,
  limits: ConcurrencyLimits,
): Claim {
  type Owner = { readonly owner: string; readonly lease: number };
  const takeExpired = sqlite.prepare<[Owner], RunQueueTable>(TAKE_EXPIRED);
  const take = sqlite.prepare<[Owner & { run_id: string }], RunQueueTable>(
    `${TAKE} WHERE run_id = @run_id RETURNING *`,
  );
  const waiting = sqlite.prepare<[], { queue: string }>(WAITING_QUEUES);
  const executing = sqlite.prepare<[], GroupCount>(
    `SELECT queue, workflow, caller, concurrency_key, count(*) AS runs FROM run_queue
     WHERE status = 'running' GROUP BY queue, workflow, caller, concurrency_key`,
  );
  const head = sqlite.prepare<
    [{ queue: string; workflows: string; callers: string; keys: string }],
    Head
  >(HEAD);
  const turns = sqlite.prepare<[], { queue: string; turn: number }>(
    'SELECT queue, turn FROM queue_turns',
  );
  const turn = sqlite.prepare<[string]>(
    `INSERT INTO queue_turns (queue, turn)
     SELECT ?, coalesce(max(turn), 0) + 1 FROM queue_turns WHERE true
     ON CONFLICT (queue) DO UPDATE SET turn = excluded.turn`,
  );

  const heads = (): Head[] => {
    const names = waiting.all();
    if (names.length === 0) return [];
    const full = fullGroups(executing.all(), limits);
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
    const left = expired ? takeExpired.get({ owner, lease }) : undefined;
    if (left !== undefined) return left;
    const chosen = choose(heads());
    return chosen === undefined ? undefined : take.get({ owner, lease, run_id: chosen.run_id });
  };
}
