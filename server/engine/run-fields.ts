import type { RunStatus } from '../contract/platform/run-status.ts';
import type { JsonObject } from '../kernel/json.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { itemsOf } from './append-list.ts';
import type { RunError } from './failure.ts';
import type { HumanRequest } from './human.ts';
import type { Message } from './message.ts';
import { seqValues } from './seq-map.ts';
import type { RunState } from './state.ts';
import type { Usage } from './usage.ts';

/**
 * The fields of the run record (platform.md 3.3) that execution decides. `metadata` holds the
 * execution's own keys (spec-v1 15 "Run metadata kept"); those of create are the platform's.
 */
export interface RunFields {
  readonly status: RunStatus;
  readonly agent_name: string | null;
  readonly workflow_name: string | null;
  readonly workflow_kind: 'workflow' | 'agent';
  readonly input_text: string;
  readonly output_text: string | null;
  readonly current_step_index: number | null;
  readonly current_step_id: string | null;
  readonly current_node_id: string | null;
  readonly visited_steps: readonly string[];
  readonly visited_nodes: readonly string[];
  readonly messages: readonly Message[];
  readonly pending_human_request: HumanRequest | null;
  readonly continuation_id: string | null;
  readonly error: RunError | null;
  readonly usage: Usage | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** Epoch seconds. */
  readonly deadline_at: number | null;
  readonly metadata: JsonObject;
}

/** The members of a record that grow with every step. */
interface Grown {
  readonly visited: string[];
  readonly counts: { [key: string]: number };
}

function grownOf(run: RunState): Grown {
  const counts = [...seqValues(run.step_counts)]
    .filter((count) => count.n > 0)
    .sort((a, b) => a.at - b.at)
    .map((count) => [count.key, count.n] as const);
  return { visited: itemsOf(run.visited), counts: Object.fromEntries(counts) };
}

function executionContext(run: RunState, visited: string[]): JsonObject {
  const graph = run.workflow_type === 'graph';
  return {
    ...run.execution,
    current_step_id: run.current_step_id,
    current_node_id: run.current_node_id,
    visited_steps: graph ? [] : visited,
    visited_nodes: graph ? visited : [],
  };
}

function executionMetadata(run: RunState, grown: Grown): JsonObject {
  const warnings = itemsOf(run.warnings);
  return {
    step_iteration_counts: grown.counts,
    execution_context: executionContext(run, grown.visited),
    ...run.result,
    ...(run.origin === null ? {} : { rerun_of: { ...run.origin, edited: [...run.origin.edited] } }),
    ...(run.masked_origin === true ? { masked_origin: true } : {}),
    ...(warnings.length === 0 ? {} : { guardrail_warnings: warnings }),
    ...(run.model_warning === null ? {} : { model_warning: run.model_warning }),
    ...(run.usage === null ? {} : { usage: { ...run.usage } }),
  };
}

/** The run record's fields as they stand in a state. Costs the steps of the run. */
export function toRunFields(run: RunState): RunFields {
  return fieldsWith(run, grownOf(run));
}

/** The same with the visited steps and the counts left empty: costs the same at every step. */
export function briefRunFields(run: RunState): RunFields {
  return fieldsWith(run, { visited: [], counts: {} });
}

function fieldsWith(run: RunState, grown: Grown): RunFields {
  const { visited } = grown;
  const graph = run.workflow_type === 'graph';
  const stamp = (at: number | null) => (at === null ? null : toTimestamp(at));
  return {
    status: run.status,
    agent_name: run.agent_name,
    workflow_name: run.workflow_name,
    workflow_kind: run.workflow_kind,
    input_text: run.setup.input_text,
    output_text: run.output_text,
    current_step_index: run.current_step_index,
    current_step_id: run.current_step_id,
    current_node_id: run.current_node_id,
    visited_steps: graph ? [] : visited,
    visited_nodes: graph ? visited : [],
    messages: run.messages,
    pending_human_request: run.pause?.request ?? null,
    continuation_id: run.pause?.continuation.id ?? null,
    error: run.error,
    usage: run.usage,
    started_at: stamp(run.started_at),
    completed_at: stamp(run.completed_at),
    deadline_at: run.setup.deadline_at,
    metadata: executionMetadata(run, grown),
  };
}
