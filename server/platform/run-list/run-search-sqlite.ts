import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { type SearchCondition, searchable, type TextSearch } from './run-search.ts';

/** The index of longer texts knows three characters at least. */
const GRAM = 3;
/** What one step indexes: a few milliseconds of work. */
const STEP_RUNS = 32;
const STEP_CHARS = 20_000;
/** Pages of an index that one step merges. */
const MERGED_PAGES = 16;
/** Runs that are still executing are indexed, too, once so many wait. */
const MAX_WAITING = 2000;
/** Texts whose counts are kept while the store does not change. */
const MAX_COUNTS = 50;

function spelled(gram: readonly string[]): string {
  return gram.map((char) => (char.codePointAt(0) ?? 0).toString(16)).join('x');
}

/** Every one and two characters in a row of the texts, each once, spelled as one word. */
function shortGrams(texts: readonly string[]): string {
  const found = new Set<string>();
  for (const text of texts) {
    let before: string | undefined;
    for (const char of text) {
      found.add(char);
      if (before !== undefined) found.add(before + char);
      before = char;
    }
  }
  return [...found].map((gram) => spelled([...gram])).join(' ');
}

interface Lookup {
  readonly table: 'run_search_long' | 'run_search_short';
  readonly match: string;
}

/** A phrase of overlapping grams is found exactly where the text is found. */
function lookupOf(text: string): Lookup {
  const chars = [...text];
  return chars.length < GRAM
    ? { table: 'run_search_short', match: `"${spelled(chars)}"` }
    : { table: 'run_search_long', match: `"${text.replaceAll('"', '""')}"` };
}

const IN_TEXTS = '(instr(run_search.input, ?) > 0 OR instr(run_search.outcome, ?) > 0)';

/**
 * Search through the full-text indexes of SQLite. A run whose texts are new is looked through until a
 * step has indexed it, so that an answer is exact at any time. Texts of more than `longest` bytes are
 * not indexed here.
 */
export function createRunSearch(
  store: SyncStore<PlatformTables>,
  longest = Number.MAX_SAFE_INTEGER,
): TextSearch {
  const { sync } = store;
  const insert = sync.prepare<[number, string]>(
    "INSERT INTO run_search (seq, indexed, input, outcome) VALUES (?, 0, ?, '')",
  );
  const update = sync.prepare<[string, number, string]>(
    'UPDATE run_search SET indexed = 0, outcome = ? WHERE seq = ? AND outcome <> ?',
  );
  const count = (table: Lookup['table']) =>
    sync.prepare<[string, string, string], { n: number }>(
      `SELECT (SELECT count(*) FROM ${table} WHERE ${table} MATCH ?)
         + (SELECT count(*) FROM run_search WHERE indexed = 0 AND ${IN_TEXTS}) AS n`,
    );
  const counts = {
    run_search_long: count('run_search_long'),
    run_search_short: count('run_search_short'),
  };
  const find = (table: Lookup['table']) =>
    sync
      .prepare<[string, string, string, number], number>(
        `SELECT rowid FROM ${table} WHERE ${table} MATCH ?
         UNION ALL SELECT seq FROM run_search WHERE indexed = 0 AND ${IN_TEXTS} LIMIT ?`,
      )
      .pluck();
  const finds = {
    run_search_long: find('run_search_long'),
    run_search_short: find('run_search_short'),
  };
  const waiting = sync.prepare<[number], { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM run_search WHERE indexed = 0 LIMIT ?)',
  );
  const select = (where: string) =>
    sync.prepare<[number, number], { seq: number; input: string; outcome: string }>(
      `SELECT run_search.seq, input, outcome FROM run_search
       JOIN run_list ON run_list.seq = run_search.seq
       WHERE indexed = 0 AND octet_length(input) + octet_length(outcome) <= ? AND ${where}
       ORDER BY run_search.seq LIMIT ?`,
    );
  const settled = select("status NOT IN ('queued', 'running')");
  const any = select('TRUE');
  const intoLong = sync.prepare<[number, string, string]>(
    'INSERT INTO run_search_long (rowid, input, outcome) VALUES (?, ?, ?)',
  );
  const intoShort = sync.prepare<[number, string]>(
    'INSERT INTO run_search_short (rowid, grams) VALUES (?, ?)',
  );
  const mark = sync.prepare<[number]>('UPDATE run_search SET indexed = 1 WHERE seq = ?');

  const indexSome = sync.transaction((): { some: boolean; more: boolean } => {
    let rows = settled.all(longest, STEP_RUNS);
    if (rows.length === 0 && (waiting.get(MAX_WAITING)?.n ?? 0) >= MAX_WAITING) {
      rows = any.all(longest, STEP_RUNS);
    }
    let chars = 0;
    for (const { seq, input, outcome } of rows) {
      if (chars >= STEP_CHARS) return { some: true, more: true };
      intoLong.run(seq, input, outcome);
      intoShort.run(seq, shortGrams([input, outcome]));
      mark.run(seq);
      chars += input.length + outcome.length;
    }
    return { some: rows.length > 0, more: rows.length === STEP_RUNS };
  });
  const merges = (['run_search_long', 'run_search_short'] as const).map((table) =>
    sync.prepare<[number]>(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`),
  );
  const changes = sync.prepare<[], number>('SELECT total_changes()').pluck();
  /** False when there was nothing to merge: the command alone counts as one change of each index. */
  const mergeSome = sync.transaction((): boolean => {
    const before = changes.get() ?? 0;
    for (const merge of merges) merge.run(MERGED_PAGES);
    return (changes.get() ?? 0) - before > merges.length;
  });
  let indexed = { some: false, more: false };
  const step = (): boolean => {
    if (indexed.some) {
      const { more } = indexed;
      indexed = { some: false, more: false };
      return mergeSome.immediate() || more;
    }
    indexed = indexSome.immediate();
    return indexed.some || mergeSome.immediate();
  };

  const version = sync
    .prepare<[], number>(
      'SELECT total_changes() + 4294967296 * data_version FROM pragma_data_version',
    )
    .pluck();
  let known = { version: -1, counts: new Map<string, number>() };
  /** Pages of one search count once while nobody writes. */
  const counted = (wanted: string): number => {
    const now = version.get() ?? -1;
    if (known.version !== now || known.counts.size >= MAX_COUNTS) {
      known = { version: now, counts: new Map() };
    }
    const before = known.counts.get(wanted);
    if (before !== undefined) return before;
    const { table, match } = lookupOf(wanted);
    const n = counts[table].get(match, wanted, wanted)?.n ?? 0;
    known.counts.set(wanted, n);
    return n;
  };

  return {
    insert: (seq, input) => void insert.run(seq, searchable(input)),
    update(seq, outcome) {
      const text = searchable(outcome);
      update.run(text, seq, text);
    },
    find(text, most) {
      const wanted = searchable(text);
      const { table, match } = lookupOf(wanted);
      const seqs = finds[table].all(match, wanted, wanted, most + 1);
      return seqs.length > most ? undefined : seqs;
    },
    count: (text) => counted(searchable(text)),
    among(text): SearchCondition {
      const wanted = searchable(text);
      const { table, match } = lookupOf(wanted);
      return {
        sql: `run_list.seq IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?
          UNION ALL SELECT seq FROM run_search WHERE indexed = 0 AND ${IN_TEXTS})`,
        values: [match, wanted, wanted],
      };
    },
    holds(text): SearchCondition {
      const wanted = searchable(text);
      return {
        sql: `EXISTS (SELECT 1 FROM run_search WHERE run_search.seq = run_list.seq AND ${IN_TEXTS})`,
        values: [wanted, wanted],
      };
    },
    step,
  };
}
