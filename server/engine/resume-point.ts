import type { JsonObject } from '../kernel/json.ts';
import type { AppendList } from './append-list.ts';
import type { FlowRun } from './flow-run.ts';
import type { Message } from './message.ts';
import type { NameMap } from './name-map.ts';
import type { ProgramWorkflow } from './program.ts';
import type { SeqMap } from './seq-map.ts';

/** What a participant of a concurrent workflow gave. */
export interface Settled {
  readonly text: string;
  readonly added: readonly Message[];
}

/** How a workflow goes on from a place. */
export type GoOn =
  /** Turn kinds: with the next turn. Concurrent: with the participants that have given nothing. */
  | { readonly kind: 'next' }
  /** Graph: with the edges of a node that gave this. */
  | {
      readonly kind: 'route';
      readonly node: string;
      readonly output: string;
      readonly metadata: JsonObject;
      readonly failed: boolean;
    }
  /** Graph: with a node. */
  | { readonly kind: 'node'; readonly node: string; readonly input: string }
  /** Item flow: with the step in progress, or whoever runs next. */
  | { readonly kind: 'flow' }
  /** Nothing is left to do but to complete. */
  | { readonly kind: 'end'; readonly text: string; readonly messages: readonly Message[] };

/** A place between two steps of the run's own workflow. */
export interface Place {
  readonly shape: ProgramWorkflow['shape'];
  readonly go: GoOn;
  readonly thread: AppendList<Message>;
  /** Turn kinds: the next turn. */
  readonly next: number;
  readonly visited: AppendList<string>;
  readonly settled: SeqMap<Settled>;
  readonly last_messages: readonly Message[] | null;
  /** Item flow: how it stands. */
  readonly flow?: FlowRun;
}

/**
 * A place from which a run can be run again (issue: rerun from a checkpoint). Every checkpoint names
 * the last point before it: what had ended by then stays, what was in progress starts again. Plain
 * JSON that shares its parts with the point before, so that a difference by reference is small.
 */
export interface ResumePoint {
  /** 1, 2, 3 … within the run. */
  readonly number: number;
  /** Null = the very beginning. */
  readonly place: Place | null;
  /** What the agents remember, by agent key. */
  readonly histories: NameMap<AppendList<Message>>;
}

/** Where a rerun comes from. */
export interface RunOrigin {
  readonly run_id: string;
  readonly checkpoint_id: string;
  readonly checkpoint_sequence: number;
  readonly checkpoint_type: string;
  /** What was edited: members of `RerunEdits`; empty = nothing. */
  readonly edited: readonly string[];
}
