/** Looks for runs by a text (contract/platform.md 3.3, `q`). Another dialect has another one. */
export interface RunSearch {
  /** Remembers a new run's input. Belongs to the transaction that writes the run. */
  insert(seq: number, input: string): void;
  /** Remembers what has become of a run. Belongs to the transaction that writes the run. */
  update(seq: number, outcome: string): void;
  /** The runs (`run_list.seq`) in which the text occurs, when they are no more than so many. */
  find(text: string, most: number): number[] | undefined;
  /** The true number of runs in which the text occurs. */
  count(text: string): number;
  /** SQL that holds for the runs in which it occurs, through the index. */
  among(text: string): SearchCondition;
  /** The same, looked up in each run by itself: for a walk that soon finds enough. */
  holds(text: string): SearchCondition;
  /** Brings the index up to date by a bounded step; false when nothing is left. */
  step(): boolean;
}

export interface SearchCondition {
  readonly sql: string;
  readonly values: readonly string[];
}
