import { listOf } from '../../engine/append-list.ts';
import { createRun, emptyState } from '../../engine/create-run.ts';
import type { RunSetup, RunState } from '../../engine/state.ts';
import { isObject } from '../../kernel/json.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import { parseObject, parseTexts } from '../redaction.ts';
import { statusOf } from '../run-record/run-view.ts';

/** Why a run ends that waits in a form that this version does not read. */
export const OUTDATED_RUN = {
  type: 'error',
  message: 'The run was stored by another version of this service and cannot go on.',
};

/** What a run was set up with, as its row says it; the row does not hold the limit itself. */
export function setupOf(row: RunsTable, timeout: number | null): RunSetup {
  return {
    run_id: row.id,
    target: row.target === 'agent' ? 'agent' : 'workflow',
    input_text: row.input_text ?? '',
    environment: row.environment,
    timeout_seconds: timeout,
    deadline_at: row.deadline_at,
  };
}

/** The state of a queued run that nobody has begun: it is not stored, its row says all of it. */
export function newStateOf(row: RunsTable): RunState {
  const { timeout_seconds: timeout } = parseObject(row.created_metadata);
  const setup = setupOf(row, typeof timeout === 'number' ? timeout : null);
  return createRun(setup, 'queued', parseTimestamp(row.created_at) ?? 0).state;
}

function numberIn(stored: unknown, name: string): number {
  const value = isObject(stored) ? stored[name] : undefined;
  return typeof value === 'number' ? value : 0;
}

/**
 * What can be told of a run whose state this version does not read: it can be ended, and a worker can begin
 * it anew, but it does not go on. Ids are counted after those of the stored state.
 */
export function remnantOf(row: RunsTable, stored: unknown): RunState {
  const path = [...parseTexts(row.visited_steps), ...parseTexts(row.visited_nodes)];
  return {
    ...emptyState(setupOf(row, null), 'running'),
    latest_at: parseTimestamp(row.updated_at) ?? 0,
    status: statusOf(row),
    seq: numberIn(stored, 'seq') + 1,
    visited: listOf(path),
    visited_marked: path.length,
    agent_name: row.agent_name,
    workflow_name: row.workflow_name,
    workflow_type: null,
    current_step_index: row.current_step_index,
    current_step_id: row.current_step_id,
    current_node_id: row.current_node_id,
    output_text: row.output_text,
    checkpoint_count: numberIn(stored, 'checkpoint_count'),
    point_count: numberIn(stored, 'point_count'),
  };
}
