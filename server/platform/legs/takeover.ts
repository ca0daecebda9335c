import { pendingEffects } from '../../engine/step.ts';
import { unchanged } from '../../engine/step-outcome.ts';
import { NO_EVENT_FIELDS } from '../../engine/trace.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import type { PlatformEvent } from '../stored-states/run-rows.ts';
import type { RunWriter } from '../stored-states/run-writer.ts';
import type { HeldRun } from './leg.ts';

/** Says that a run was taken over, and which calls are made again because nobody knows their answers. */
function recoveredEvent(deps: PlatformDeps, { state }: HeldRun, attempt: number): PlatformEvent {
  const repeated = pendingEffects(state).map(({ id, kind }) => ({ id, kind }));
  return {
    ...NO_EVENT_FIELDS,
    type: 'run_recovered',
    run_id: state.setup.run_id,
    event_id: deps.ids.uuid(),
    timestamp: toTimestamp(deps.clock.now()),
    agent_name: state.agent_name,
    workflow_name: state.workflow_name,
    step_id: state.current_step_id ?? state.current_node_id,
    metadata: { attempt, repeated },
  };
}

/**
 * Tells of a take-over in the run's trace. Calls that will be made again are stored as such before
 * they are made, so that a second kill cannot hide the first. False when another one holds the run.
 */
export function tellTakeover(
  deps: PlatformDeps,
  run: HeldRun,
  writer: RunWriter,
  attempt: number,
): boolean {
  writer.note(recoveredEvent(deps, run, attempt));
  if (pendingEffects(run.state).length === 0) return true;
  writer.add(unchanged(run.state));
  return writer.commit({ token: run.token }, run.token);
}
