import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { Condition } from './run-filter.ts';
import { type RunSearch, searchable } from './run-search.ts';

/** The longest run of characters that stands in the index. */
const GRAM = 3;
/** What one step indexes: a few milliseconds of work. */
const STEP_RUNS = 32;
const STEP_CHARS = 20_000;
/** So many grams of a text that is looked for narrow the runs down enough. */
const MOST_ASKED = 32;

/** A number that stands for a few characters; others may share it. */
function numberOf(gram: string): number {
  let sum = 0x81_1c_9d_c5;
  for (let at = 0; at < gram.length; at += 1) {
    sum = Math.imul(sum ^ gram.charCodeAt(at), 0x01_00_01_93);
  }
  return sum | 0;
}

/** The numbers of every so many characters in a row. */
function grams(text: string, lengths: readonly number[]): Set<number> {
  const chars = [...text];
  const found = new Set<number>();
  for (const length of lengths) {
    for (let at = 0; at + length <= chars.length; at += 1) {
      found.add(numberOf(chars.slice(at, at + length).join('')));
    }
  }
  return found;
}

const listed = (numbers: Iterable<number>): string => `{${[...numbers].join(',')}}`;

/** What stands in the index of a run's texts: the numbers of all their grams, as the value of a list. */
export function indexedGrams(input: string, outcome: string): string {
  const lengths = Array.from({ length: GRAM }, (_item, at) => at + 1);
  const found = grams(input, lengths);
  for (const gram of grams(outcome, lengths)) found.add(gram);
  return listed(found);
}

const IN_TEXTS = '(strpos(run_search.input, ?) > 0 OR strpos(run_search.outcome, ?) > 0)';

/** The grams by which the index is asked for a text. */
function asked(wanted: string): string {
  const length = Math.min(GRAM, [...wanted].length);
  return listed([...grams(wanted, [length])].slice(0, MOST_ASKED));
}

/**
 * The runs in which a text occurs, as a statement over `run_search`: the index narrows them down, and
 * each is looked through, as is one that no step has indexed.
 */
function found(text: string, columns: string): Condition {
  const wanted = searchable(text);
  return {
    sql: `SELECT ${columns} FROM run_search WHERE indexed = 1 AND grams @> ?::integer[] AND ${IN_TEXTS}
      UNION ALL SELECT ${columns} FROM run_search WHERE indexed = 0 AND ${IN_TEXTS}`,
    values: [asked(wanted), wanted, wanted, wanted, wanted],
  };
}

/** Holds for the runs in which a text occurs, through the index. */
export function amongFound(text: string): Condition {
  const { sql, values } = found(text, 'seq');
  return { sql: `run_list.seq IN (${sql})`, values };
}

/** The same, looked up in each run by itself: for few runs, and for a walk that soon finds enough. */
export function holdsText(text: string): Condition {
  const wanted = searchable(text);
  return {
    sql: `EXISTS (SELECT 1 FROM run_search WHERE run_search.seq = run_list.seq AND ${IN_TEXTS} OFFSET 0)`,
    values: [wanted, wanted],
  };
}

/** The number of all runs in which a text occurs, through the index. */
export function foundCount(text: string): Condition {
  const { sql, values } = found(text, 'count(*) AS n');
  return { sql: `SELECT sum(n) AS n FROM (${sql}) AS found`, values };
}

/** The runs in which a text occurs, each run looked through. */
export function scanned(text: string): Condition {
  const wanted = searchable(text);
  return { sql: `SELECT 1 FROM run_search WHERE ${IN_TEXTS}`, values: [wanted, wanted] };
}

/** So many runs, evenly spread over the store, tell how common a text is. */
const SAMPLED = 400;

/** A sample of the store, with the columns of `TextShare`. */
export function sampled(text: string): Condition {
  const wanted = searchable(text);
  return {
    sql: `WITH ends AS (SELECT min(seq) AS first, max(seq) AS last FROM run_search)
      SELECT count(*) AS runs, count(*) FILTER (WHERE ${IN_TEXTS}) AS found,
        count(*) FILTER (WHERE grams @> ?::integer[]) AS named,
        (SELECT last - first + 1 FROM ends) AS stored
      FROM run_search WHERE seq = ANY (ARRAY(
        SELECT first + (last - first) * place / ${SAMPLED}
        FROM ends, generate_series(0, ${SAMPLED}) AS place))`,
    values: [wanted, wanted, asked(wanted)],
  };
}

/**
 * Keeps what lists look in. A run whose texts are new is looked through until a step of any node has
 * indexed it, so that an answer is exact at any time. Texts of more than `longest` bytes are not
 * indexed here.
 */
export function createRunSearch(
  { sync }: SyncStore<PlatformTables>,
  longest = Number.MAX_SAFE_INTEGER,
): RunSearch {
  const insert = sync.prepare<[number, string]>(
    "INSERT INTO run_search (seq, indexed, input, outcome) VALUES (?, 0, ?, '')",
  );
  const update = sync.prepare<[string, number, string]>(
    'UPDATE run_search SET indexed = 0, outcome = ? WHERE seq = ? AND outcome <> ?',
  );
  const waiting = sync.prepare<[number, number], { seq: number; input: string; outcome: string }>(
    `SELECT run_search.seq, input, outcome FROM run_search
     JOIN run_list ON run_list.seq = run_search.seq
     WHERE indexed = 0 AND octet_length(input) + octet_length(outcome) <= ?::bigint
       AND status NOT IN ('queued', 'running')
     ORDER BY run_search.seq LIMIT ? FOR UPDATE OF run_search SKIP LOCKED`,
  );
  const index = sync.prepare<[string, number]>(
    'UPDATE run_search SET indexed = 1, grams = ? WHERE seq = ?',
  );
  const step = sync.transaction((): boolean => {
    const rows = waiting.all(longest, STEP_RUNS);
    let chars = 0;
    for (const { seq, input, outcome } of rows) {
      if (chars >= STEP_CHARS) return true;
      index.run(indexedGrams(input, outcome), seq);
      chars += input.length + outcome.length;
    }
    return rows.length === STEP_RUNS;
  });
  return {
    insert: (seq, input) => void insert.run(seq, searchable(input)),
    update(seq, outcome) {
      const text = searchable(outcome);
      update.run(text, seq, text);
    },
    step,
  };
}
