import { CompiledQuery, type Kysely } from 'kysely';
import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { placed } from '../../store/postgres-places.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { sortByKey, sortKeyOf } from '../lists/page-items.ts';
import { readMessages } from '../run-record/stored-messages.ts';
import { createListSource, type ListSource, type TextLimits } from './list-source-postgres.ts';
import { type CheckedFilter, type Condition, checkFilter } from './run-filter.ts';
import { listColumn, type RunPage, type RunQuery } from './run-query.ts';

type Row = readonly unknown[];

/** Columns of a run that hold JSON which lists sort by, with how their values are read. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...['error', 'usage', 'pending_human_request', 'visited_steps', 'visited_nodes', 'tags'],
]);

/** The member of a JSON column by its names: of a list none, as of a text. */
function memberOf(column: string, names: readonly string[]): Condition {
  const steps = names.map(() => ' -> ?::text').join('');
  return { sql: `(runs.${column}::json${steps})`, values: [...names] };
}

interface Source extends Condition {
  parse(text: string): unknown;
}

/** Where a sort field stands in a run; undefined for a field that no run has. */
function sourceOf(field: string): Source | undefined {
  const [head = '', ...rest] = field.split('.');
  if (head === 'messages') {
    return rest.length === 0
      ? { sql: 'runs.messages', values: [], parse: readMessages }
      : undefined;
  }
  const text = ({ sql: value, values }: Condition): Source => ({
    ...{ sql: `(${value})::text`, values, parse: JSON.parse },
  });
  if (head === 'metadata' && rest[0] === 'usage') return text(memberOf('usage', rest.slice(1)));
  if (head === 'metadata') {
    const [own, created] = [memberOf('run_metadata', rest), memberOf('created_metadata', rest)];
    const values = [...own.values, ...created.values];
    return text({ sql: `coalesce(${own.sql}, ${created.sql})`, values });
  }
  return JSON_COLUMNS.has(head) ? text(memberOf(head, rest)) : undefined;
}

/** What one look at the store asks. */
class Look {
  readonly #db: Kysely<PlatformTables>;
  readonly #source: ListSource;

  constructor(db: Kysely<PlatformTables>, filter: CheckedFilter, limits: TextLimits) {
    this.#db = db;
    this.#source = createListSource(filter, limits, (sql, values) => this.#rows(sql, values));
  }

  async #rows(text: string, values: Row): Promise<Record<string, unknown>[]> {
    const query = CompiledQuery.raw(placed(text).sql, [...values]);
    const { rows } = await this.#db.executeQuery<Record<string, unknown>>(query);
    return rows;
  }

  total(): Promise<number> {
    return this.#source.total();
  }

  async newest(limit: number, offset: number): Promise<number[]> {
    const wanted = Math.max(0, Math.min(limit, LIST_WINDOW - offset));
    const { sql, values } = this.#source.newest('', wanted + offset);
    const rows = await this.#rows(`${sql} LIMIT ? OFFSET ?`, [...values, wanted, offset]);
    return rows.map(({ seq }) => Number(seq));
  }

  /** The window in the order of an expression over it, and of the run where `joined` names it. */
  async sorted(sorted: string, joined: string, request: ListRequest): Promise<number[]> {
    const { sort_order: order, limit, offset } = request;
    const column = joined === '' ? `, ${sorted} AS sorted` : '';
    const by = joined === '' ? 'page.sorted' : sorted;
    const { sql, values } = this.#source.newest(column, LIST_WINDOW);
    const rows = await this.#rows(
      `SELECT page.seq FROM (${sql} LIMIT ${LIST_WINDOW}) AS page ${joined}
       ORDER BY (${by} IS NULL) ${order}, ${by} ${order}, page.updated_at DESC, page.seq
       LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    );
    return rows.map(({ seq }) => Number(seq));
  }

  /** The window by a value inside of JSON. */
  async byPath(source: Source, { sort_order: order, limit, offset }: ListRequest) {
    const { sql, values } = this.#source.newest('', LIST_WINDOW);
    const rows = await this.#rows(
      `SELECT page.seq, ${source.sql} AS value FROM (${sql} LIMIT ${LIST_WINDOW}) AS page
       JOIN runs ON runs.id = page.run_id ORDER BY page.updated_at DESC, page.seq`,
      [...source.values, ...values],
    );
    const keyOf = ({ value }: Record<string, unknown>) =>
      sortKeyOf(typeof value === 'string' ? source.parse(value) : undefined);
    const sorted = sortByKey(rows, keyOf, order);
    return sorted.slice(offset, offset + limit).map(({ seq }) => Number(seq));
  }
}

async function seqsOf(look: Look, request: ListRequest): Promise<number[]> {
  const { sort_by: sort, sort_order: order, limit, offset } = request;
  if (sort === 'updated_at' && order === 'desc') return look.newest(limit, offset);
  const column = listColumn(sort);
  if (column !== undefined) return look.sorted(column, '', request);
  if (sort === 'input_text' || sort === 'output_text') {
    return look.sorted(`runs.${sort}`, 'JOIN runs ON runs.id = page.run_id', request);
  }
  const source = sourceOf(sort);
  if (source !== undefined) return look.byPath(source, request);
  return offset >= LIST_WINDOW ? [] : look.newest(limit, offset);
}

const FEW = 5000;

/**
 * Answers lists over connections of their own, beside the event loop; a page and its total are of one
 * moment. A text is looked up in `few` runs one by one, whatever the text.
 */
export function createRunQuery({ db }: Pick<SyncStore<PlatformTables>, 'db'>, few = FEW): RunQuery {
  return {
    page(asked, request): Promise<RunPage> {
      const filter = checkFilter(asked);
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (transaction) => {
          const look = new Look(transaction, filter, { countTo: request.count_to, few });
          const total = await look.total();
          return { seqs: total === 0 ? [] : await seqsOf(look, request), total };
        });
    },
  };
}
