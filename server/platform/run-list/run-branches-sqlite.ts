import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { listConditions, type RunCounts } from './run-counts-sqlite.ts';
import type { CheckedFilter, Condition } from './run-filter.ts';

/**
 * A part of the runs that match: branches of one list have no run in common, and those of an index
 * stand in the order of lists already, so that a page is merged from their beginnings.
 */
export interface Branch {
  readonly from: string;
  readonly conditions: readonly Condition[];
}

/** One way to meet the matches newest first. */
interface Walk {
  readonly index: string;
  /** Branches by what holds in each; one branch without a condition is the whole index. */
  readonly parts: readonly (readonly Condition[])[];
  /** How many runs it goes through when it goes to its end. */
  readonly runs: number;
}

/** What a walk costs for a run when the index alone does not answer, and a run that is sorted. */
const LOOKUP = 3;
const SORTED = 2;
/** Ten minutes, as in the condition of the index. */
const PART_CHARS = 'YYYY-MM-DDTHH:M'.length;

const at = (sql: string, value: string): Condition => ({ sql, values: [value] });

/** Runs that were created until a moment and changed after it. */
function straddling(before: string, others: readonly Condition[]): Branch[] {
  const part = before.slice(0, PART_CHARS);
  return [
    {
      from: 'run_list INDEXED BY run_list_lasting',
      conditions: [
        {
          sql: `substr(run_list.updated_at, 1, ${PART_CHARS}) > substr(run_list.created_at, 1, ${PART_CHARS})`,
          values: [],
        },
        at('run_list.updated_at > ?', before),
        at('run_list.created_at <= ?', before),
        ...others,
      ],
    },
    {
      from: 'run_list INDEXED BY run_list_by_created',
      conditions: [
        at('run_list.created_at >= ?', part),
        at('run_list.created_at <= ?', before),
        at('run_list.updated_at > ?', before),
        at('run_list.updated_at < ?', `${part}~`),
        ...others,
      ],
    },
  ];
}

function bounds({ created_after: after, created_before: before }: CheckedFilter): Condition[] {
  return [
    ...(after === undefined ? [] : [at('run_list.created_at >= ?', after)]),
    ...(before === undefined ? [] : [at('run_list.created_at <= ?', before)]),
  ];
}

/** Everything that a filter asks of a run but its text. */
export function allConditions(filter: CheckedFilter): Condition[] {
  const { session_id: session } = filter;
  const own = session === undefined ? [] : [at('run_list.session_id = ?', session)];
  return [...own, ...listConditions(filter), ...bounds(filter)];
}

export interface RunBranches {
  /**
   * The branches of a filter without its text, for the newest `reach` of `total` matches; `total`
   * counts the text.
   */
  of(filter: CheckedFilter, reach: number, total: number): Branch[];
}

/** Chooses by counts, which cost nothing, how the matches of a filter are met. */
export function createRunBranches(
  store: SyncStore<PlatformTables>,
  counts: RunCounts,
): RunBranches {
  const pairs = store.sync.prepare<
    { status: string | null; kind: string | null },
    { status: string; workflow_kind: string }
  >(
    `SELECT DISTINCT status, workflow_kind FROM run_counts
     WHERE (@status IS NULL OR status = @status) AND (@kind IS NULL OR workflow_kind = @kind)
       AND runs > 0`,
  );

  const walks = (filter: CheckedFilter): Walk[] => {
    const { status, workflow_kind: kind, workflow_name: name } = filter;
    const whole = (index: string, runs: number, conditions: Condition[] = []): Walk => ({
      index,
      parts: [conditions],
      runs,
    });
    const found = [whole('run_list_newest', counts.of({}))];
    if (status !== undefined || kind !== undefined) {
      const parts = pairs
        .all({ status: status ?? null, kind: kind ?? null })
        .map((pair) => [
          at('run_list.workflow_kind = ?', pair.workflow_kind),
          at('run_list.status = ?', pair.status),
        ]);
      const runs = counts.of({ status, workflow_kind: kind });
      found.push({ index: 'run_list_parts', parts, runs });
    }
    if (name !== undefined) {
      const runs = counts.of({ workflow_name: name });
      found.push(whole('run_list_by_name', runs, [at('run_list.workflow_name = ?', name)]));
    }
    if (filter.has_error === true) {
      const runs = counts.of({ has_error: true }) * LOOKUP;
      found.push(whole('run_list_failed', runs, [{ sql: 'run_list.has_error = 1', values: [] }]));
    }
    return found;
  };

  const walked = (walk: Walk, filter: CheckedFilter): Branch[] => {
    const { created_before: before } = filter;
    const others = [...listConditions(filter), ...bounds(filter)];
    const from = `run_list INDEXED BY ${walk.index}`;
    const rest = before === undefined ? [] : [at('run_list.updated_at <= ?', before)];
    const own = walk.parts.map((part) => ({ from, conditions: [...part, ...rest, ...others] }));
    return before === undefined ? own : [...straddling(before, others), ...own];
  };

  return {
    of(filter, reach, total) {
      if (filter.session_id !== undefined) {
        const from = 'run_list INDEXED BY run_list_by_session';
        return [{ from, conditions: allConditions(filter) }];
      }
      // Matches lie as densely everywhere; when all of them are wanted the walk goes to its end.
      const cost = ({ runs }: Walk): number => (total > reach ? (runs * reach) / total : runs);
      const [best] = walks(filter).sort((a, b) => cost(a) - cost(b));
      if (best === undefined) return [];
      const range = bounds(filter);
      if (range.length > 0) {
        const { created_after, created_before } = filter;
        const inRange = counts.of({ created_after, created_before });
        if (inRange * SORTED < cost(best)) {
          const from = 'run_list INDEXED BY run_list_by_created';
          return [{ from, conditions: allConditions(filter) }];
        }
      }
      return walked(best, filter);
    },
  };
}
