import type { RunEvent } from '../../engine/event.ts';
import type { RunState } from '../../engine/state.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { KeptBudget } from '../budgets/judge-budgets.ts';
import type { RowsBefore } from '../stored-states/checkpoints-repository.ts';
import type { RunWriter } from '../stored-states/run-writer.ts';
import type { Unbuildable } from './handed-over.ts';
import type { LegTail } from './leg-tail.ts';

// A leg takes a run from an event to rest: to its end, or to where it waits for a person. The room
// promises: only the holder of the run's token writes; what led to a call outside is in the store
// before the call is made, so that a kill repeats at most the calls in flight; and what an answer
// leaves beside the run is stored with the end of the leg, or not at all.

/** A run, the state that a leg begins in, and the token that holds the run meanwhile. */
export interface HeldRun {
  readonly row: RunsTable;
  readonly state: RunState;
  readonly token: string;
}

/** Runs in the transaction that ends the leg, with the state that it ends in. */
type AtEnd = (state: RunState) => void;

/** The first leg of a run that a request makes; the run may not be in the store yet. */
interface NewLeg extends HeldRun {
  readonly kind: 'new';
  readonly event: RunEvent;
  readonly writer: RunWriter;
  readonly tail: LegTail;
}

/** A stored run goes on with an event: a task was answered, or a failed run begins again. */
interface ResumedLeg extends HeldRun {
  readonly kind: 'resumed';
  readonly event: RunEvent;
  /** Null where nobody waits for an answer. */
  readonly tail: LegTail | null;
}

/** What the leg of a claimed run needs of the store, asked with the claim. */
export interface AskedWithClaim {
  readonly rows: RowsBefore;
  readonly budgets: KeptBudget[];
}

/** A worker claimed a queued run that has not begun. */
interface ClaimedLeg extends HeldRun {
  readonly kind: 'claimed';
  readonly asked: AskedWithClaim;
  readonly event: RunEvent;
  readonly atEnd: AtEnd;
}

/** A worker claimed a run whose worker is gone: the calls that its state waits for are made again. */
interface TakenOverLeg extends HeldRun {
  readonly kind: 'taken_over';
  /** Which attempt this is. */
  readonly attempt: number;
  readonly atEnd: AtEnd;
  /** Of a leg that was handed over. */
  readonly tail?: LegTail | null;
}

/** In the execution thread, or on another node: a new or resumed leg that who was asked did not begin. */
interface SentLeg extends HeldRun {
  readonly kind: 'sent';
  readonly event: RunEvent;
  readonly onUnbuildable: Unbuildable;
  readonly tail: LegTail | null;
  readonly atEnd?: AtEnd;
}

/** In the execution thread, or on another node: a leg goes on that began elsewhere. */
interface MovedLeg extends HeldRun {
  readonly kind: 'moved';
  readonly tail: LegTail | null;
  readonly atEnd?: AtEnd;
}

export type Leg = NewLeg | ResumedLeg | ClaimedLeg | TakenOverLeg | SentLeg | MovedLeg;

/** What sets the leg off; undefined where it takes up the calls that its state waits for. */
export function eventOf(leg: Leg): RunEvent | undefined {
  return 'event' in leg ? leg.event : undefined;
}

export function onUnbuildable(leg: Leg): Unbuildable {
  if (leg.kind === 'sent') return leg.onUnbuildable;
  return leg.kind === 'resumed' ? 'keep' : 'fail';
}

/** What the answer leaves in the store; null where nobody waits for one. */
export function tailOf(leg: Leg): LegTail | null {
  return ('tail' in leg ? leg.tail : null) ?? null;
}

/** True while the run of the leg is not in the store. */
export function isUnstored(leg: Leg): boolean {
  return leg.kind === 'new' && !leg.writer.stored;
}

/** True where the thread that was asked makes the answer, of what is stored. */
export function isAnsweredElsewhere(leg: Leg): boolean {
  return leg.kind === 'sent' || leg.kind === 'moved' || leg.kind === 'taken_over';
}
