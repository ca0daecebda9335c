import type { ReplayContext } from '../contract/platform/run-reads.ts';
import type { JsonObject } from '../kernel/json.ts';
import { itemsOf } from './append-list.ts';
import { continueAnswer } from './human.ts';
import type { RunState } from './state.ts';

/** Whether continue has something to take up (platform.md 6.4); locks, leases and deadlines come on top. */
function canContinue(run: RunState): boolean {
  if (run.status === 'blocked') {
    return run.pause !== null && continueAnswer(run.pause.request) !== undefined;
  }
  return run.status === 'failed' && run.restart !== null;
}

/** `replay_context` of a run (platform.md 3.7): what a continue of it would start from. `canReplay`: the spec of the run is known. */
export function replayContext(run: RunState, canReplay: boolean): ReplayContext {
  const graph = run.workflow_type === 'graph';
  const completed = [...new Set(itemsOf(run.visited))];
  const failed = run.restart?.step ?? null;
  return {
    run_id: run.setup.run_id,
    status: run.status,
    workflow_type: run.workflow_type,
    completed_steps: graph ? [] : completed,
    completed_nodes: graph ? completed : [],
    failed_step: graph ? null : failed,
    failed_node: graph ? failed : null,
    next_step_index: graph ? 0 : completed.length,
    resume_input: run.restart?.input ?? run.pause?.input ?? null,
    checkpoint_count: run.checkpoint_count,
    can_continue: canContinue(run),
    can_replay: canReplay,
  };
}

/** The same as metadata of the replay_context checkpoint. */
export function replayMetadata(run: RunState): JsonObject {
  const context = replayContext(run, true);
  return {
    ...context,
    completed_steps: [...context.completed_steps],
    completed_nodes: [...context.completed_nodes],
  };
}
