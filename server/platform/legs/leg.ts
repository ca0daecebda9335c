import type { RunEvent } from '../../engine/event.ts';
import type { RunState } from '../../engine/state.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
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

/** A worker claimed a queued run that has not begun. */
interface ClaimedLeg extends HeldRun {
  readonly kind: 'claimed';
  readonly event: RunEvent;
  /** Runs in the transaction that ends the leg. */
  readonly atEnd: () => void;
}

/** A worker claimed a run whose worker is gone: the calls that its state waits for are made again. */
interface TakenOverLeg extends HeldRun {
  readonly kind: 'taken_over';
  /** Which attempt this is. */
  readonly attempt: number;
  readonly atEnd: () => void;
}

/** In the execution thread: a new or resumed leg that the thread of the request did not begin. */
interface SentLeg extends HeldRun {
  readonly kind: 'sent';
  readonly event: RunEvent;
  readonly onUnbuildable: Unbuildable;
  readonly tail: LegTail | null;
}

/** In the execution thread: a leg goes on that began in another thread. */
interface MovedLeg extends HeldRun {
  readonly kind: 'moved';
  readonly tail: LegTail | null;
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
  return 'tail' in leg ? leg.tail : null;
}

/** True while the run of the leg is not in the store. */
export function isUnstored(leg: Leg): boolean {
  return leg.kind === 'new' && !leg.writer.stored;
}

/** True where the thread that was asked makes the answer, of what is stored. */
export function isAnsweredElsewhere({ kind }: Leg): boolean {
  return kind === 'sent' || kind === 'moved';
}
