import type { JsonObject, Outputs } from './item.ts';

/** The output of a run that filled an input. */
export interface RunSource {
  readonly node: string;
  readonly output: number;
  readonly run: number;
}

/** One time that a step ran. */
export interface NodeRun {
  /** By input; null for one that had nothing. */
  readonly sources: readonly (RunSource | null)[];
  readonly outputs: Outputs;
  /** What the step keeps and shows after this run. */
  readonly context?: JsonObject;
  /** How many steps of the run had ended before. */
  readonly at?: number;
}

export interface Connection {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
}

/** A workflow as far as reading earlier steps needs it. */
export interface WorkflowShape {
  /** Parameters by the name of the step. */
  readonly nodes: ReadonlyMap<string, unknown>;
  readonly connections: readonly Connection[];
}

/** What has run so far, by the name of the step, in order. */
export type RunRecord = ReadonlyMap<string, readonly NodeRun[]>;
