import { toTimestamp } from '../../kernel/timestamp.ts';
import { sqlOf } from '../../store/dialect.ts';
import type { SqlOf } from '../../store/dialect-sql.ts';
import type { PlatformDeps } from '../deps.ts';
import type { RetentionReport } from '../service-options.ts';

const DAY_MS = 86_400_000;
/** Rows that are looked at in one turn of the event loop. */
const WINDOW = 500;

/** A place in the order of a walk. */
type Place = string | number;

/** What a walk has met: rows that may go, by key, and from where it goes on. */
export interface Walked {
  readonly keys: readonly (string | number)[];
  /** Undefined at the end. */
  readonly place: Place | undefined;
}

/** Rows of one kind that leave by age (contract/platform.md 12). */
export interface RetentionPart {
  readonly count: keyof RetentionReport;
  /** How many rows may go. */
  counted(): number;
  /** Goes on behind a place; looks at a bounded number of rows. */
  walk(after: Place | undefined): Walked;
  /** Removes the rows of a key that may still go; how many. Belongs into one transaction. */
  remove(key: string | number): number;
}

/** SQL over `@cutoff`, `@statuses` (a JSON list) and, in its place, `@after`, `@window` or `@key`. */
interface PartSql {
  readonly counted: string;
  /** Columns: place, whether it goes, key. */
  readonly walk: string;
  readonly start: Place;
  readonly remove: string;
  /** What goes with a removed key without being counted. */
  readonly alongside?: string;
}

interface PartFacts {
  readonly count: keyof RetentionReport;
  readonly days: number | undefined;
  readonly statuses?: readonly string[];
  /** True where times are epoch seconds. */
  readonly epoch?: boolean;
  readonly sql: PartSql;
}

const OVER = ['completed', 'failed', 'cancelled', 'expired', 'timed_out'];

/** The narrow rows of the lists are walked instead of the runs. */
const walkRuns = (condition: string): string =>
  `SELECT seq, ${condition}, run_id FROM run_list WHERE seq > @after ORDER BY seq LIMIT @window`;

/** The statements of each part. */
function statementsOf({ ROW, rowsOfList, listOf, memberOf }: SqlOf) {
  const inStatuses = `status IN (SELECT value FROM ${rowsOfList('@statuses')} AS statuses)`;
  const byRow = (table: string, condition: string): PartSql => ({
    counted: `SELECT count(*) FROM ${table} WHERE ${condition}`,
    walk: `SELECT ${ROW}, ${condition}, ${ROW} FROM ${table} WHERE ${ROW} > @after
      ORDER BY ${ROW} LIMIT @window`,
    start: 0,
    remove: `DELETE FROM ${table} WHERE ${ROW} = @key AND ${condition}`,
  });
  const oldRun = `updated_at < @cutoff AND ${inStatuses}`;
  const runs: PartSql = {
    counted: `SELECT count(*) FROM run_list WHERE ${oldRun}`,
    walk: walkRuns(`(${oldRun})`),
    start: 0,
    remove: `DELETE FROM runs WHERE id = @key AND ${oldRun}`,
    alongside: 'DELETE FROM audit_events WHERE run_id = @key',
  };
  // Checkpoints are stored as differences that begin anew with each leg of a run: of a leg that
  // reaches past the cutoff all stay until all of it may go.
  const oldCheckpoint = `created_at < @cutoff
    AND sequence < coalesce((SELECT max(whole.sequence) FROM checkpoints whole
      WHERE whole.run_id = checkpoints.run_id AND whole.snapshot LIKE '{"full":%'
        AND whole.sequence <= (SELECT min(young.sequence) FROM checkpoints young
          WHERE young.run_id = checkpoints.run_id AND young.created_at >= @cutoff)), 9e15)`;
  const checkpoints: PartSql = {
    counted: `SELECT count(*) FROM checkpoints WHERE ${oldCheckpoint}
      AND run_id IN (SELECT id FROM runs WHERE ${inStatuses})`,
    walk: walkRuns(`(created_at < @cutoff AND ${inStatuses})`),
    start: 0,
    remove: `DELETE FROM checkpoints WHERE run_id = @key AND ${oldCheckpoint}
      AND EXISTS (SELECT 1 FROM runs WHERE id = @key AND ${inStatuses})`,
  };
  const member = (at: number): string => memberOf('@key', at);
  const idempotency: PartSql = {
    counted: 'SELECT count(*) FROM idempotency_records WHERE updated_at < @cutoff',
    // What is removed is not met again, so that a moment of many records does not hold the walk up.
    walk: `SELECT updated_at, 1, ${listOf('principal', 'method', 'path', 'key')}
      FROM idempotency_records
      WHERE updated_at >= @after AND updated_at < @cutoff ORDER BY updated_at LIMIT @window`,
    start: '',
    remove: `DELETE FROM idempotency_records WHERE principal = ${member(0)}
      AND method = ${member(1)} AND path = ${member(2)} AND key = ${member(3)}
      AND updated_at < @cutoff`,
  };
  return {
    ...{ runs, checkpoints, idempotency },
    queue: byRow('run_queue', `(updated_at < @cutoff AND ${inStatuses})`),
    audit: byRow('audit_events', '(created_at < @cutoff)'),
    continuations: byRow(
      'continuations',
      `(updated_at < @cutoff AND NOT EXISTS (SELECT 1 FROM runs
         WHERE runs.id = continuations.run_id AND runs.status = 'blocked'))`,
    ),
  };
}

function partOf({ store, clock }: PlatformDeps, facts: PartFacts, days: number): RetentionPart {
  const { sync } = store;
  const { sql } = facts;
  const cutoffMs = clock.now() - days * DAY_MS;
  const given = {
    cutoff: facts.epoch === true ? cutoffMs / 1000 : toTimestamp(cutoffMs),
    statuses: JSON.stringify(facts.statuses ?? []),
  };
  type Given = typeof given;
  const counted = sync.prepare<[Given], number>(sql.counted).pluck();
  const walk = sync
    .prepare<
      [Given & { after: Place; window: number }],
      readonly [place: Place, goes: number, key: string | number]
    >(sql.walk)
    .raw();
  type OfKey = Given & { key: string | number };
  const remove = sync.prepare<[OfKey]>(sql.remove);
  const alongside = sql.alongside === undefined ? undefined : sync.prepare<[OfKey]>(sql.alongside);
  return {
    count: facts.count,
    counted: () => counted.get(given) ?? 0,
    walk(after = sql.start) {
      const rows = walk.all({ ...given, after, window: WINDOW });
      return {
        keys: rows.filter(([, goes]) => goes === 1).map(([, , key]) => key),
        place: rows.length < WINDOW ? undefined : rows.at(-1)?.[0],
      };
    },
    remove(key) {
      const { changes } = remove.run({ ...given, key });
      if (changes > 0) alongside?.run({ ...given, key });
      return changes;
    },
  };
}

/** What the settings let go, in the order of one pass. */
export function retentionParts(deps: PlatformDeps): RetentionPart[] {
  const { retention } = deps.config;
  const sql = statementsOf(sqlOf(deps.store.sync));
  const facts: readonly PartFacts[] = [
    { count: 'checkpoints', days: retention.checkpoints, statuses: OVER, sql: sql.checkpoints },
    {
      count: 'queue_records',
      days: retention.queue,
      statuses: retention.queueStatuses,
      epoch: true,
      sql: sql.queue,
    },
    { count: 'runs', days: retention.runs, statuses: retention.runStatuses, sql: sql.runs },
    { count: 'audit_events', days: retention.audit, sql: sql.audit },
    { count: 'idempotency_records', days: retention.idempotency, sql: sql.idempotency },
    { count: 'continuations', days: retention.continuations, sql: sql.continuations },
  ];
  return facts.flatMap((part) => (part.days === undefined ? [] : [partOf(deps, part, part.days)]));
}
