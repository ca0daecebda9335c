import { allOf, type CheckedFilter, type Condition } from './run-filter.ts';
import { amongFound, foundCount, holdsText, sampled, scanned } from './run-search-postgres.ts';
import { isScanCheaper, isWalkCheaper, type TextShare } from './text-costs.ts';

type Ask = (sql: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

export interface TextLimits {
  /** How far the matches of a text are counted, where that costs less. */
  readonly countTo: number | undefined;
  /** A text is looked up in so few runs one by one, whatever the text. */
  readonly few: number;
}

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
  readonly #countTo: number;
  readonly #few: number;
  readonly #ask: Ask;
  /** The runs without those of other sessions: a fence, since few of them are left. */
  readonly #from: Condition;
  /** How many match but for the text, and how common that is where there are many. */
  #others = 0;
  #share: TextShare | undefined;

  constructor(filter: CheckedFilter, { countTo, few }: TextLimits, ask: Ask) {
    this.#filter = filter;
    this.#countTo = countTo ?? Number.POSITIVE_INFINITY;
    this.#few = few;
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
    this.#others = others;
    if (q === undefined || others === 0) return others;
    if (others > this.#few) this.#share = await this.#shareOf(q);
    const isPlain = Object.values(rest).every((value) => value === undefined);
    return this.#share === undefined || !isPlain
      ? this.#withText(q, this.#share)
      : this.#textAlone(q, this.#share);
  }

  async #shareOf(q: string): Promise<TextShare> {
    const { sql, values } = sampled(q);
    const [row] = await this.#ask(sql, values);
    const { runs, found, named, stored } = row ?? {};
    const number = (value: unknown) => Number(value ?? 0);
    return {
      runs: number(runs),
      found: number(found),
      named: number(named),
      stored: number(stored),
    };
  }

  /** How many rows a statement has, as far as they are counted. */
  #countedRows({ sql, values }: Condition): Promise<number> {
    const limit = Number.isFinite(this.#countTo) ? ` LIMIT ${this.#countTo}` : '';
    return this.#number({ sql: `SELECT count(*) AS n FROM (${sql}${limit}) AS counted`, values });
  }

  async #textAlone(q: string, share: TextShare): Promise<number> {
    if (isScanCheaper(share, this.#others, this.#countTo)) return this.#countedRows(scanned(q));
    await this.#ask(ROOM, []);
    return this.#number(foundCount(q));
  }

  async #withText(q: string, share: TextShare | undefined): Promise<number> {
    const isFar = !Number.isFinite(this.#countTo);
    const isWalked = share === undefined || isWalkCheaper(share, this.#others, this.#countTo);
    if (share !== undefined && isWalked && !isFar)
      return this.#countedRows(this.newest('', this.#countTo));
    const own = [...listConditions(this.#filter), ...bounds(this.#filter)];
    if (!isWalked) await this.#ask(ROOM, []);
    return this.#countedRuns([...own, isWalked ? holdsText(q) : amongFound(q)]);
  }

  /** The text, looked up run by run where a walk to the last row that is wanted costs less. */
  #text(reach: number): Condition[] {
    const { q } = this.#filter;
    if (q === undefined) return [];
    const isWalked = this.#share === undefined || isWalkCheaper(this.#share, this.#others, reach);
    return [isWalked ? holdsText(q) : amongFound(q)];
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

/** Chooses by counts and samples, which cost little, how the matches of a filter are counted and met. */
export function createListSource(filter: CheckedFilter, limits: TextLimits, ask: Ask): ListSource {
  return new FilteredList(filter, limits, ask);
}
