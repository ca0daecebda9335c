import type { Deque } from './deque.ts';

/** The output of a step's run that fills an input. */
export interface FlowSource {
  readonly step: string;
  readonly output: number;
  readonly run: number;
}

/** A step that is to run, and what feeds it. */
export interface Arrival {
  readonly step: string;
  /** By input; null where nothing came. Empty for the step that begins. */
  readonly sources: readonly (FlowSource | null)[];
  /** The step gets one empty item in place of what its source gave: it was asked for by it. */
  readonly forced?: true;
}

export interface WaitingStep {
  readonly step: string;
  /** By input, what came and was not used yet. */
  readonly came: readonly Deque<FlowSource>[];
}

/** A step that some of what leads to it has settled. */
interface Join {
  /** Edges to the step that are not settled. */
  readonly open: number;
  /** What the first edge that was taken brought. */
  readonly came: FlowSource | null;
}

/** By step; a step that is not in it has all of its edges open. */
export type Joins = Readonly<Record<string, Join>>;

/** Where a flow stands. Plain JSON; states share what did not change. */
export interface FlowState {
  readonly line: Deque<Arrival>;
  /** In the order in which they began to wait. */
  readonly waiting: readonly WaitingStep[];
  /** Steps that ran, each once; kept for `v0` only. */
  readonly ran: readonly string[];
  /** Steps that some of what leads to them has settled; kept for `dify` only. */
  readonly joins?: Joins;
}
