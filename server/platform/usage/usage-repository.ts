import type { UsageCounts, UsageGroup, UsageRow } from '../../contract/platform/usage.ts';
import type { TokensUsed } from '../../engine/usage.ts';

import { byDialect } from '../../store/dialect.ts';
import type {
  PlatformTables,
  RunUsageTable,
  UsageByDayTable,
  UsageByMonthTable,
} from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { sumUses } from './sum-uses.ts';
import * as postgres from './usage-writes-postgres.ts';
import * as sqlite from './usage-writes-sqlite.ts';

// What models used. The room promises: it is counted in the transaction of the run that used it, or
// neither is stored; sums are read from rows of days, never from runs.

const COUNTS = [
  'calls',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
] as const satisfies (keyof UsageCounts)[];

const MONTH_CHARS = 'YYYY-MM'.length;

/** The column that each group is read from. */
const COLUMNS: Readonly<Record<UsageGroup, keyof UsageByDayTable>> = {
  day: 'day',
  key: 'caller',
  workflow: 'workflow',
  step: 'step',
  provider: 'provider',
  model: 'model',
};

/** The run that used something; `day` as YYYY-MM-DD in UTC. */
export interface UsedBy {
  readonly run_id: string;
  readonly day: string;
  readonly caller: string | null;
  readonly workflow: string | null;
}

/** A span of days with both ends, and what it is narrowed to; absent = all. */
export interface UsageSpan {
  readonly from: string;
  readonly to: string;
  readonly key?: string | undefined;
  readonly workflow?: string | undefined;
  readonly model?: string | undefined;
}

export interface UsageRepository {
  /** Counts what answers used, in the caller's transaction. */
  add(by: UsedBy, used: readonly TokensUsed[]): void;
  /** Sums by groups: by day first, then the largest. */
  rows(span: UsageSpan, groups: readonly UsageGroup[], limit: number): UsageRow[];
  total(span: UsageSpan): UsageCounts;
  /** What a run used by step and model, the largest first. */
  ofRun(runId: string): Omit<RunUsageTable, 'run_id'>[];
  /** Adds up what transactions left beside the sums, where a store does so. */
  fold(): void;
  /** Forgets days before that one; how many rows. */
  removeBefore(day: string): number;
}

const SUMS = COUNTS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');
const WITHIN = `FROM usage_by_day WHERE day >= @from AND day <= @to
  AND (CAST(@key AS TEXT) IS NULL OR caller = @key) AND (CAST(@workflow AS TEXT) IS NULL OR workflow = @workflow)
  AND (CAST(@model AS TEXT) IS NULL OR model = @model)`;

type SpanValues = { [K in keyof UsageSpan]-?: string | null };

function valuesOf({ from, to, key, workflow, model }: UsageSpan): SpanValues {
  return { from, to, key: key ?? null, workflow: workflow ?? null, model: model ?? null };
}

export function createUsageRepository(store: SyncStore<PlatformTables>): UsageRepository {
  const { sync } = store;
  const tables = byDialect(sync, { sqlite, postgres });
  const { addToDay, addToRun, addToMonth } = tables.usageWrites(COUNTS);
  const ofDay = sync.prepare<[UsageByDayTable]>(addToDay);
  const ofMonth =
    addToMonth === undefined ? undefined : sync.prepare<[UsageByMonthTable]>(addToMonth);
  const forRun = sync.prepare<[RunUsageTable]>(addToRun);
  const foldText = tables.foldUses(COUNTS);
  const folding = foldText === undefined ? undefined : sync.prepare<[]>(foldText);
  const total = sync.prepare<[SpanValues], UsageCounts>(`SELECT ${SUMS} ${WITHIN}`);
  const ofRun = sync.prepare<[string], Omit<RunUsageTable, 'run_id'>>(
    `SELECT step, provider, model, ${COUNTS.join(', ')} FROM run_usage WHERE run_id = ?
     ORDER BY total_tokens DESC, step, provider, model`,
  );
  const removeBefore = sync.prepare<[string]>(`DELETE FROM ${tables.DAYS} WHERE day < ?`);
  const removeMonths = sync.prepare<[string]>(`DELETE FROM ${tables.MONTHS} WHERE month < ?`);
  const grouped = (groups: readonly UsageGroup[]): string => {
    const columns = groups.map((group) => COLUMNS[group]);
    const named = groups.map((group) => `${COLUMNS[group]} AS "${group}", `).join('');
    const order = [
      ...(groups.includes('day') ? ['day'] : []),
      'sum(total_tokens) DESC',
      ...columns.filter((column) => column !== 'day'),
    ];
    const by = columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
    return `SELECT ${named}${SUMS} ${WITHIN} ${by} ORDER BY ${order.join(', ')} LIMIT @limit`;
  };
  return {
    add({ run_id, day, caller, workflow }, used) {
      for (const sum of sumUses(used)) {
        forRun.run({ run_id, ...sum });
        const owner = { caller: caller ?? '', workflow: workflow ?? '' };
        ofDay.run({ day, ...owner, ...sum });
        const { step: _step, ...ofModel } = sum;
        ofMonth?.run({ month: day.slice(0, MONTH_CHARS), ...owner, ...ofModel });
      }
    },
    rows: (span, groups, limit) =>
      sync
        .prepare<[SpanValues & { limit: number }], UsageRow>(grouped([...new Set(groups)]))
        .all({ ...valuesOf(span), limit }),
    total(span) {
      const sum = total.get(valuesOf(span));
      if (sum === undefined) throw new TypeError('a sum without groups has one row');
      return sum;
    },
    ofRun: (runId) => ofRun.all(runId),
    fold: () => void folding?.run(),
    removeBefore(day) {
      folding?.run();
      const months = removeMonths.run(day.slice(0, MONTH_CHARS)).changes;
      return months + removeBefore.run(day).changes;
    },
  };
}
