/** The form in which texts are stored and looked for; an index may end a text at its first NUL. */
export function searchable(text: string): string {
  return text.toLowerCase().replaceAll('\0', '\u0001');
}

/**
 * The longest texts that a thread indexes which answers requests: a few milliseconds of work. Longer
 * ones are left to the execution thread, which wrote most of them; until then they are looked through.
 */
export const LONGEST_BESIDE_REQUESTS = 60_000;

/** Keeps the texts in which runs are looked for (contract/platform.md 3.3, `q`). */
export interface RunSearch {
  /** Remembers a new run's input. Belongs to the transaction that writes the run. */
  insert(seq: number, input: string): void;
  /** Remembers what has become of a run. Belongs to the transaction that writes the run. */
  update(seq: number, outcome: string): void;
  /** Brings the index up to date by a bounded step; false when nothing is left. */
  step(): boolean;
}

/** Finds runs by a text where the store's own indexes are asked by hand. */
export interface TextSearch extends RunSearch {
  /** The runs (`run_list.seq`) in which the text occurs, when they are no more than so many. */
  find(text: string, most: number): number[] | undefined;
  /** The true number of runs in which the text occurs. */
  count(text: string): number;
  /** SQL that holds for the runs in which it occurs, through the index. */
  among(text: string): SearchCondition;
  /** The same, looked up in each run by itself: for a walk that soon finds enough. */
  holds(text: string): SearchCondition;
}

export interface SearchCondition {
  readonly sql: string;
  readonly values: readonly string[];
}
