import { runWork } from './dispatch.ts';
import type { PendingEffect } from './effect.ts';
import type { RunEvent } from './event.ts';
import { handleEvent } from './handle-event.ts';
import type { Program } from './program.ts';
import { seqValues } from './seq-map.ts';
import type { RunState } from './state.ts';
import { type StepOutcome, unchanged } from './step-outcome.ts';
import { Turn } from './turn.ts';

/**
 * Applies one event to a run (spec-v1 12–15). Pure: the same program, state and event give the same
 * outcome, byte for byte; the state that came in is not changed. An event that does not apply
 * (unknown effect, terminal run) changes nothing. `program` may be null only for the events that end
 * a run: cancelled, deadline_passed, failed, task_expired with on_timeout fail or escalate.
 */
export function step(program: Program | null, state: RunState, event: RunEvent): StepOutcome {
  const turn = new Turn(program, state, event.at);
  const applied = handleEvent(turn, event);
  if (!applied) return unchanged(state);
  runWork(turn);
  return turn.outcome();
}

/** The effects that a stored state still waits for: to be performed again after a restart. */
export function pendingEffects(state: RunState): readonly PendingEffect[] {
  return [...seqValues(state.pending)].map((pending) => pending.effect);
}
