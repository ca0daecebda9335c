import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ListRequest } from '../../contract/platform/lists.ts';

import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { inSlices } from '../lists/in-slices.ts';
import { sortByKey, sortKeyOf } from '../lists/page-items.ts';
import { readMessages } from '../run-record/stored-messages.ts';

/** Bytes of a text that are kept of each run of the window; longer texts that begin alike are read again. */
const KEPT_BYTES = 1024;

/** SQL that reads a JSON path (bound, once per `?`) of a column of the run. */
const JSON_SOURCES: Readonly<Record<string, string>> = {
  metadata: 'coalesce(runs.run_metadata -> ?, runs.created_metadata -> ?)',
  error: 'runs.error -> ?',
  usage: 'runs.usage -> ?',
  pending_human_request: 'runs.pending_human_request -> ?',
  visited_steps: 'runs.visited_steps -> ?',
  visited_nodes: 'runs.visited_nodes -> ?',
  tags: 'runs.tags -> ?',
};

/** A JSON path of plain names; undefined when a name cannot be spelled in one. */
function jsonPath(names: readonly string[]): string | undefined {
  return names.some((name) => name.includes('"'))
    ? undefined
    : `$${names.map((name) => `."${name}"`).join('')}`;
}

interface Source {
  readonly sql: string;
  readonly values: readonly string[];
  parse(text: string): unknown;
}

/** Messages are one value: a list has no members of a name. */
const MESSAGES: Source = { sql: 'runs.messages', values: [], parse: readMessages };

/** Where a sort field stands in a run; undefined for a field that no run has. */
function sourceOf(field: string): Source | undefined {
  const [head = '', ...rest] = field.split('.');
  if (head === 'messages') return rest.length === 0 ? MESSAGES : undefined;
  const isUsage = head === 'metadata' && rest[0] === 'usage';
  const path = jsonPath(isUsage ? rest.slice(1) : rest);
  const known = isUsage ? 'usage' : head;
  const sql = Object.hasOwn(JSON_SOURCES, known) ? JSON_SOURCES[known] : undefined;
  if (path === undefined || sql === undefined) return undefined;
  return { sql, values: (sql.match(/\?/g) ?? []).map(() => path), parse: JSON.parse };
}

/** Texts of a run that are a sort field as they are. */
type TextColumn = 'input_text' | 'output_text';

export function isTextColumn(field: string): field is TextColumn {
  return field === 'input_text' || field === 'output_text';
}

function pageOf(sorted: readonly number[], { limit, offset }: ListRequest): number[] {
  return sorted.slice(offset, offset + limit);
}

/** Sorts by what only the runs themselves hold; other requests get their turn while they are read. */
export interface RunValueSorts {
  /** By a text, in the order of its UTF-8. `window` is newest first. */
  byText(
    window: readonly number[],
    request: ListRequest,
    column: TextColumn,
  ): Promise<readonly number[]>;
  /** By a value inside a JSON column; a field that no run has leaves the order of the window. */
  byPath(window: readonly number[], request: ListRequest): Promise<readonly number[]>;
}

const FROM_RUNS = `FROM json_each(?) AS page
  CROSS JOIN run_list ON run_list.seq = page.value CROSS JOIN runs ON runs.id = run_list.run_id`;

interface Keyed<Key> {
  readonly seq: number;
  readonly key: Key;
}

export function createRunValueSorts(store: Pick<SyncStore<PlatformTables>, 'sync'>): RunValueSorts {
  const { sync } = store;

  /** One value of each run that is still there, in the order of the window. */
  const read = <Key>(
    window: readonly number[],
    source: Pick<Source, 'sql' | 'values'>,
    keyOf: (value: Buffer | string | null) => Key,
  ): Promise<Keyed<Key>[]> => {
    const select = sync
      .prepare<string[], readonly [place: number, seq: number, value: Buffer | string | null]>(
        `SELECT page.key, page.value, ${source.sql} ${FROM_RUNS}`,
      )
      .raw();
    return inSlices(window, (seqs) =>
      select
        .all(...source.values, JSON.stringify(seqs))
        .sort(([a], [b]) => a - b)
        .map(([, seq, value]) => ({ seq, key: keyOf(value) })),
    );
  };

  /** Puts texts that are alike as far as they are kept in order, where they reach into the page. */
  const settle = (
    sorted: readonly Keyed<Buffer | null>[],
    { limit, offset, sort_order: order }: ListRequest,
    column: TextColumn,
  ): number[] => {
    const seqs = sorted.map(({ seq }) => seq);
    const alike = (a: number, b: number): boolean => {
      const [one, other] = [sorted[a]?.key, sorted[b]?.key];
      return one?.length === KEPT_BYTES && other?.length === KEPT_BYTES && one.equals(other);
    };
    let from = Math.min(offset, sorted.length);
    while (alike(from - 1, from)) from -= 1;
    const exact = sync
      .prepare<[string], number>(
        `SELECT run_list.seq ${FROM_RUNS}
         ORDER BY CAST(runs.${column} AS BLOB) ${order}, page.key`,
      )
      .pluck();
    for (let end = from + 1; from < Math.min(offset + limit, sorted.length); end = from + 1) {
      while (alike(from, end)) end += 1;
      if (end - from > 1) {
        const ordered = exact.all(JSON.stringify(seqs.slice(from, end)));
        seqs.splice(from, end - from, ...ordered);
      }
      from = end;
    }
    return seqs;
  };

  return {
    async byText(window, request, column) {
      const sign = request.sort_order === 'asc' ? 1 : -1;
      const source = {
        // An empty blob has no part: the function answers NULL.
        sql: `CASE runs.${column} WHEN '' THEN ''
          ELSE substr(CAST(runs.${column} AS BLOB), 1, ${KEPT_BYTES}) END`,
        values: [],
      };
      const keyOf = (value: Buffer | string | null): Buffer | null =>
        typeof value === 'string' ? Buffer.from(value) : value;
      const rows = await read(window, source, keyOf);
      await turnOfLoop();
      const sorted = rows.sort(({ key: a }, { key: b }) => {
        if (a === null || b === null) return sign * (Number(a === null) - Number(b === null));
        return sign * Buffer.compare(a, b);
      });
      return pageOf(settle(sorted, request, column), request);
    },
    async byPath(window, request) {
      const source = sourceOf(request.sort_by);
      if (source === undefined) return pageOf(window, request);
      const rows = await read(window, source, (value) => {
        return sortKeyOf(value === null ? undefined : source.parse(value.toString()));
      });
      await turnOfLoop();
      const sorted = sortByKey(rows, ({ key }) => key, request.sort_order);
      return pageOf(
        sorted.map(({ seq }) => seq),
        request,
      );
    },
  };
}
