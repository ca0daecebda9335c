import { allOf, type CheckedFilter, type Condition } from './run-filter.ts';
import { amongFound, foundCount, holdsText } from './run-search-postgres.ts';

type Ask = (sql: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** The matches of a filter: how many there are, and the newest of them. */
export interface ListSource {
  total(): Promise<number>;
  /**
   * A statement whose first `reach` rows are the newest matches, newest first: `seq`, `run_id`,
   * `updated_at`, and `columns`, which begin with a comma. After `total`, if the filter has a text.
   */
  newest(columns: string, reach: number): Condition;
}

const ORDER = 'ORDER BY updated_at DESC, seq';
const DAY_CHARS = 'YYYY-MM-DD'.length;
/** Ten minutes, as in the condition of `run_list_lasting`. */
const PART_CHARS = 'YYYY-MM-DDTHH:M'.length;
/** A text is looked up in so few runs one by one, whatever the text. */
const FEW = 5000;
/** Of the index of texts the matches of a common one; without room for them it is read twice. */
const ROOM = "SELECT set_config('work_mem', '64MB', TRUE)";

const is = (sql: string, ...values: (string | number)[]): Condition => ({ sql, values });

/** Names are indexed by their beginning. */
const named = (column: string, value: string): Condition =>
  is(`left(${column}, 100) = left(?, 100) AND ${column} = ?`, value, value);

/** Equalities of the filter as they hold in `run_list`, but for the session. */
function listConditions(filter: CheckedFilter): Condition[] {
  const { status, workflow_kind: kind, workflow_name: name, has_error: failed } = filter;
  return [
    ...(status === undefined ? [] : [is('status = ?', status)]),
    ...(kind === undefined ? [] : [is('workflow_kind = ?', kind)]),
    ...(name === undefined ? [] : [named('workflow_name', name)]),
    ...(failed === undefined ? [] : [is('has_error = ?', Number(failed))]),
  ];
}

/** The same in the sums of days. */
function countConditions(filter: CheckedFilter): Condition[] {
  const { status, workflow_kind: kind, workflow_name: name, has_error: failed } = filter;
  return [
    ...(status === undefined ? [] : [is('status = ?', status)]),
    ...(kind === undefined ? [] : [is('workflow_kind = ?', kind)]),
    ...(name === undefined ? [] : [is('workflow_name = ?', `=${name}`)]),
    ...(failed === undefined ? [] : [is('has_error = ?', Number(failed))]),
  ];
}

function bounds({ created_after: after, created_before: before }: CheckedFilter): Condition[] {
  return [
    ...(after === undefined ? [] : [is('created_at >= ?', after)]),
    ...(before === undefined ? [] : [is('created_at <= ?', before)]),
  ];
}

/**
 * Parts of the runs of a range of time that have no run in common, each met by an index: by the time
 * of their last change below the lower bound (a node's clock may be behind), within both, and above.
 */
function rangeParts({ created_after: after, created_before: before }: CheckedFilter): Condition[] {
  const since = after === undefined ? [] : [is('updated_at >= ?', after)];
  const within = allOf([
    ...since,
    ...(before === undefined ? [] : [is('updated_at <= ?', before)]),
  ]);
  const parts = [within];
  if (after !== undefined) parts.push(is('updated_at < created_at AND updated_at < ?', after));
  if (before !== undefined) {
    const part = before.slice(0, PART_CHARS);
    parts.push(
      is(
        `left(updated_at, ${PART_CHARS}) > left(created_at, ${PART_CHARS}) AND updated_at > ?`,
        before,
      ),
      // Of the same ten minutes.
      is('created_at >= ? AND updated_at > ? AND updated_at < ?', part, before, `${part}~`),
    );
  }
  return parts;
}

/** Runs by the time of their creation, which are of no other day. */
function daysOf(filter: CheckedFilter): { between: Condition[]; edges: Condition[][] } {
  const { created_after: after, created_before: before } = filter;
  const [first, last] = [after?.slice(0, DAY_CHARS), before?.slice(0, DAY_CHARS)];
  if (first !== undefined && first === last)
    return { between: [is('FALSE')], edges: [bounds(filter)] };
  const edges: Condition[][] = [];
  if (after !== undefined) {
    edges.push([is('created_at >= ? AND created_at < ?', after, `${after.slice(0, DAY_CHARS)}U`)]);
  }
  if (before !== undefined) {
    edges.push([is('created_at >= ? AND created_at <= ?', before.slice(0, DAY_CHARS), before)]);
  }
  return {
    between: [
      ...(first === undefined ? [] : [is('day > ?', first)]),
      ...(last === undefined ? [] : [is('day < ?', last)]),
    ],
    edges,
  };
}

class FilteredList implements ListSource {
  readonly #filter: CheckedFilter;
  readonly #ask: Ask;
  /** The runs without those of other sessions: a fence, since few of them are left. */
  readonly #from: Condition;
  /** How many match; with those that match but for the text. */
  #counted: { readonly total: number; readonly others: number } | undefined;

  constructor(filter: CheckedFilter, ask: Ask) {
    this.#filter = filter;
    this.#ask = ask;
    const { session_id: session } = filter;
    const own = named('session_id', session ?? '');
    this.#from =
      session === undefined
        ? is('run_list')
        : {
            sql: `(SELECT * FROM run_list WHERE ${own.sql} ${ORDER} OFFSET 0) AS run_list`,
            values: own.values,
          };
  }

  async #number({ sql, values }: Condition): Promise<number> {
    const [row] = await this.#ask(sql, values);
    return Number(row?.['n'] ?? 0);
  }

  #countedRuns(conditions: readonly Condition[]): Promise<number> {
    const { sql, values } = allOf(conditions);
    return this.#number({
      sql: `SELECT count(*) AS n FROM ${this.#from.sql} WHERE ${sql}`,
      values: [...this.#from.values, ...values],
    });
  }

  /** Matches but for the text: whole days by their sums, the rest run by run. */
  async #withoutText(): Promise<number> {
    const filter = this.#filter;
    const { created_after: after, created_before: before } = filter;
    if (after !== undefined && before !== undefined && after > before) return 0;
    const own = listConditions(filter);
    if (filter.session_id !== undefined) return this.#countedRuns([...own, ...bounds(filter)]);
    const { between, edges } = daysOf(filter);
    const days = allOf([...countConditions(filter), ...between]);
    const sum = `SELECT coalesce(sum(runs), 0) AS n FROM run_counts WHERE ${days.sql}`;
    let total = await this.#number({ sql: sum, values: days.values });
    for (const edge of edges) total += await this.#countedRuns([...edge, ...own]);
    return total;
  }

  async total(): Promise<number> {
    const { q, ...rest } = this.#filter;
    const others = await this.#withoutText();
    const total = q === undefined || others === 0 ? others : await this.#withText(q, rest, others);
    this.#counted = { total, others };
    return total;
  }

  async #withText(q: string, rest: Omit<CheckedFilter, 'q'>, others: number): Promise<number> {
    await this.#ask(ROOM, []);
    if (Object.values(rest).every((value) => value === undefined))
      return this.#number(foundCount(q));
    const own = [...listConditions(this.#filter), ...bounds(this.#filter)];
    return this.#countedRuns([...own, others <= FEW ? holdsText(q) : amongFound(q)]);
  }

  /** The text looked up run by run where a walk to the last row that is wanted sees fewer runs than match. */
  #text(reach: number): Condition[] {
    const { q } = this.#filter;
    if (q === undefined) return [];
    const { total = 0, others = 0 } = this.#counted ?? {};
    const walked = total > reach ? (others * reach) / total : others;
    return [walked <= Math.max(FEW, total) ? holdsText(q) : amongFound(q)];
  }

  newest(columns: string, reach: number): Condition {
    const own = [...listConditions(this.#filter), ...bounds(this.#filter), ...this.#text(reach)];
    const shown = `seq, run_id, updated_at${columns}`;
    const one = (more: readonly Condition[]): Condition => {
      const { sql, values } = allOf([...more, ...own]);
      return {
        sql: `SELECT ${shown} FROM ${this.#from.sql} WHERE ${sql} ${ORDER}`,
        values: [...this.#from.values, ...values],
      };
    };
    const { session_id: session, created_after: after, created_before: before } = this.#filter;
    if (session !== undefined || (after === undefined && before === undefined)) return one([]);
    const parts = rangeParts(this.#filter).map((part) => one([part]));
    return {
      sql: `SELECT * FROM (${parts.map(({ sql }) => `(${sql} LIMIT ${reach})`).join(' UNION ALL ')}) AS parts ${ORDER}`,
      values: parts.flatMap(({ values }) => values),
    };
  }
}

/** Chooses by counts, which cost little, how the matches of a filter are counted and met. */
export function createListSource(filter: CheckedFilter, ask: Ask): ListSource {
  return new FilteredList(filter, ask);
}
