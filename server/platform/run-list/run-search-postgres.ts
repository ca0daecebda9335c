import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
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

/**
 * Holds for the runs in which a text occurs: the index narrows them down, and each is looked through,
 * as is one that no step has indexed.
 */
export function textCondition(text: string): { sql: string; values: string[] } {
  const wanted = searchable(text);
  const length = Math.min(GRAM, [...wanted].length);
  const asked = [...grams(wanted, [length])].slice(0, MOST_ASKED);
  const inTexts = '(strpos(run_search.input, ?) > 0 OR strpos(run_search.outcome, ?) > 0)';
  return {
    sql: `run_list.seq IN (
      SELECT seq FROM run_search WHERE indexed = 1 AND grams @> ?::integer[] AND ${inTexts}
      UNION ALL SELECT seq FROM run_search WHERE indexed = 0 AND ${inTexts})`,
    values: [listed(asked), wanted, wanted, wanted, wanted],
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
     WHERE indexed = 0 AND octet_length(input) + octet_length(outcome) <= ?
       AND status NOT IN ('queued', 'running')
     ORDER BY run_search.seq LIMIT ? FOR UPDATE OF run_search SKIP LOCKED`,
  );
  const index = sync.prepare<[string, number]>(
    'UPDATE run_search SET indexed = 1, grams = ? WHERE seq = ?',
  );
  const lengths = Array.from({ length: GRAM }, (_item, at) => at + 1);
  const step = sync.transaction((): boolean => {
    const rows = waiting.all(longest, STEP_RUNS);
    let chars = 0;
    for (const { seq, input, outcome } of rows) {
      if (chars >= STEP_CHARS) return true;
      const found = grams(input, lengths);
      for (const gram of grams(outcome, lengths)) found.add(gram);
      index.run(listed(found), seq);
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
