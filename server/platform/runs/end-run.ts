import type { RunEvent } from '../../engine/event.ts';
import { step } from '../../engine/step.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { createRunWriter } from '../worker/run-writer.ts';

/**
 * Ends a run at once, executing or not: the event is applied to its state and committed; whoever
 * executes it can write nothing more. Answers the row afterwards and whether it changed.
 */
export function endRun(
  deps: PlatformDeps,
  row: RunsTable,
  event: RunEvent,
): { row: RunsTable; changed: boolean } {
  const execution = deps.executions.get(row.id);
  const reread = (changed: boolean) => ({ row: deps.runs.find(row.id) ?? row, changed });
  if (execution !== undefined) {
    const changed = execution.apply(event);
    return reread(changed && deps.runs.find(row.id)?.status !== row.status);
  }
  const state = deps.runStates.find(row.id);
  if (state === undefined) return { row, changed: false };
  const outcome = step(null, state, event);
  if (outcome.state === state) return { row, changed: false };
  const writer = createRunWriter(deps, row, { fresh: false });
  writer.add(outcome);
  return reread(writer.commit({ from: row.status }, null));
}
