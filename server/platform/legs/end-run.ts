import type { RunEvent } from '../../engine/event.ts';
import { step } from '../../engine/step.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { createRunWriter } from '../stored-states/run-writer.ts';

const MAX_TRIES = 5;

/** Applies the event to the stored state. Undefined: status or holder changed in between. */
function endStored(deps: PlatformDeps, row: RunsTable, event: RunEvent): boolean | undefined {
  const state = deps.runStates.findOf(row) ?? deps.runStates.remnant(row);
  const outcome = step(null, state, event);
  if (outcome.state === state) return false;
  const writer = createRunWriter(deps, row, { fresh: false, before: state });
  writer.add(outcome);
  const held = { from: row.status, token: row.execution_token };
  return writer.commit(held, null) ? true : undefined;
}

/**
 * Ends a run at once, executing or not: the event is applied to its state and committed; whoever
 * executes it can write nothing more. Answers the row afterwards and whether it changed.
 */
export function endRun(
  deps: PlatformDeps,
  row: RunsTable,
  event: RunEvent,
): { row: RunsTable; changed: boolean } {
  deps.commits.flush();
  const execution = deps.executions.get(row.id);
  const read = (): RunsTable => deps.runs.find(row.id) ?? row;
  if (execution?.apply !== undefined) {
    const applied = execution.apply(event);
    const after = read();
    return { row: after, changed: applied && after.status !== row.status };
  }
  let changed: boolean | undefined;
  for (let tries = 0; changed === undefined && tries < MAX_TRIES; tries += 1) {
    changed = endStored(deps, read(), event);
  }
  if (changed === true) {
    execution?.abandon();
    deps.executionThread?.abandon(row.id);
    if (row.execution_token !== null) deps.tellEnded(row.id);
  }
  return { row: read(), changed: changed === true };
}
