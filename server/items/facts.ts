import type { Item, JsonObject } from './item.ts';

/** Where the item of an earlier step is found among those that were sent, or why it is not. */
export type Match = number | { readonly error: string } | null;

/** What may be read of an earlier step. */
export interface NodeLook {
  readonly state: 'unknown' | 'not_run' | 'run';
  /** The step can be reached from this one by going back along the connections. */
  readonly connected: boolean;
  readonly parameters: unknown;
  /** What the step keeps between its runs and shows, such as whether a loop has items left. */
  readonly context: JsonObject;
  /** Index of the output that leads here. */
  readonly output: number;
  /** Outputs of each run; null for an earlier run that nobody asked for. */
  readonly runs: readonly (readonly (readonly Item[] | null)[] | null)[];
  /** Items that those of this step come from, and for each of this step's items its place there. */
  readonly sources: readonly Item[];
  readonly matches: readonly Match[];
}

/** What a step knows beside its items and those of earlier steps. */
export interface StepFacts {
  /** Milliseconds of the clock when the step begins. */
  readonly now: number;
  /** The workflow's time zone. */
  readonly zone: string;
  /** What chance goes on from. */
  readonly seed: number;
  readonly node: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly version: number;
    readonly parameters: unknown;
  };
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean };
  readonly execution: {
    readonly id: string;
    readonly mode: string;
    readonly resumeUrl: string;
    readonly resumeFormUrl: string;
    /** What steps noted with the run, by name. */
    readonly noted?: Readonly<Record<string, string>>;
  };
  readonly prevNode: {
    readonly name: string;
    readonly outputIndex: number;
    readonly runIndex: number;
  } | null;
  readonly runIndex: number;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Further names of one kind of step, such as `$response` of a paged request. */
  readonly extras: Readonly<Record<string, unknown>>;
}
