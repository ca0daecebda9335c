import type { JsonObject } from '../kernel/json.ts';
import { listOf } from './append-list.ts';
import type { RunSetup, RunState } from './state.ts';
import type { StepOutcome } from './step-outcome.ts';
import { Turn } from './turn.ts';

/** A run to which nothing has happened yet. */
export function emptyState(setup: RunSetup, status: 'queued' | 'running'): RunState {
  return {
    setup,
    status,
    seq: 0,
    frames: {},
    pending: {},
    pause: null,
    restart: null,
    histories: {},
    usage: null,
    agent_tokens: {},
    agent_name: null,
    workflow_name: null,
    workflow_type: null,
    workflow_kind: setup.target,
    visited: listOf([]),
    visited_marked: 0,
    current_step_index: null,
    current_step_id: null,
    current_node_id: null,
    output_text: null,
    messages: [],
    error: null,
    thrown: false,
    started_at: null,
    completed_at: null,
    step_counts: {},
    resumed_from: null,
    leg_ends: listOf([]),
    execution: {},
    result: {},
    warnings: listOf([]),
    model_warning: null,
    checkpoint_count: 0,
    point_count: 0,
    origin: null,
    begins_at: null,
  };
}

/**
 * A new run before its first event, with its `run_started` checkpoint. `queued` waits for a worker,
 * `running` is a synchronous run. It needs no program: a spec that does not compile fails the run later.
 */
export function createRun(setup: RunSetup, status: 'queued' | 'running', at: number): StepOutcome {
  const turn = new Turn(null, emptyState(setup, status), at);
  turn.markPoint(null);
  turn.checkpoint('run_started', startedMetadata(setup));
  return turn.outcome();
}

/** True for the state that `createRun` gives a queued run whose row says all of it. */
export function isNewRun({ status, origin, setup }: RunState): boolean {
  return status === 'queued' && origin === null && setup.caller_trace === undefined;
}

/** Metadata of the checkpoint of a run's creation (spec-v1 15). */
export function startedMetadata(setup: RunSetup): JsonObject {
  return {
    target: setup.target,
    environment: setup.environment,
    timeout_seconds: setup.timeout_seconds,
    deadline_at: setup.deadline_at,
  };
}
