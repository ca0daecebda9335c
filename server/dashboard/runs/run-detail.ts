import type { CheckpointRow, RunDetail } from '../../contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { protocolError } from '../../platform-client/protocol.ts';
import { ageText } from '../age.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import {
  booleanOrNull,
  firstText,
  integerOrNull,
  objectOf,
  objectsOf,
  type Source,
  text,
  textOrNull,
  textsOf,
} from '../read.ts';
import { createSpanClock, droppedFlag, toTraceEvent } from '../trace/trace-view.ts';
import { viewContext } from './list-runs.ts';
import { runIdentity } from './run-identity.ts';
import { errorText, type ViewContext } from './run-view.ts';
import { usageView } from './usage-view.ts';

const TRACE_LIMIT = 200;
const CHECKPOINT_LIMIT = 100;
const REDACTION_MARK = '[REDACTED';

/** A part of the detail that may be missing: 404 and an unusable shape read as empty. */
async function partOf(answer: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await answer;
  } catch (error) {
    const mild = error instanceof PlatformError && ['not_found', 'protocol'].includes(error.family);
    if (mild) return {};
    throw error;
  }
}

/** The run record, whose id must be readable. @throws PlatformError `protocol`. */
export function requireRun(run: JsonObject): JsonObject {
  if (firstText(run['run_id'], run['id']) === null) throw protocolError('the run has no id');
  return run;
}

function toCheckpointRow(checkpoint: Source, nowMs: number): CheckpointRow {
  return {
    sequence: integerOrNull(checkpoint['sequence']) ?? 0,
    type: text(checkpoint['type']),
    node: firstText(checkpoint['node_id'], checkpoint['step_id']) ?? '',
    age: ageText(checkpoint['created_at'], nowMs),
  };
}

function pathOf(run: Source): string[] {
  const nodes = textsOf(run['visited_nodes']);
  return nodes.length > 0 ? nodes : textsOf(run['visited_steps']);
}

function toRunDetail(
  run: Source,
  trace: Source,
  checkpoints: Source,
  context: ViewContext,
): RunDetail {
  const spans = createSpanClock();
  const input = textOrNull(run['input_text']);
  const status = text(run['status']);
  return {
    run_id: firstText(run['run_id'], run['id']) ?? '',
    status,
    agent_name: text(run['agent_name']),
    workflow_name: text(run['workflow_name']),
    workflow_kind: text(run['workflow_kind']),
    current_node_id: textOrNull(run['current_node_id']),
    current_step_index: integerOrNull(run['current_step_index']),
    continuation_id: textOrNull(run['continuation_id']),
    ...runIdentity(run),
    trace_event_count: integerOrNull(run['trace_event_count']) ?? 0,
    output_text: textOrNull(run['output_text']),
    input_text: input,
    input_redacted: input?.includes(REDACTION_MARK) ?? false,
    error: errorText(run['error']),
    path: pathOf(run),
    is_terminal: isTerminalStatus(status),
    trace: objectsOf(trace['events']).map((event) => toTraceEvent(event, spans)),
    trace_complete: booleanOrNull(trace['complete']),
    trace_dropped: droppedFlag(trace['dropped']),
    checkpoints: objectsOf(checkpoints['checkpoints']).map((row) =>
      toCheckpointRow(row, context.nowMs),
    ),
    usage: usageView(run, context.prices),
    created_at: textOrNull(run['created_at']),
    updated_at: textOrNull(run['updated_at']),
    runtime_mode: textOrNull(objectOf(run['metadata'])['runtime_mode']),
  };
}

/** A run composed of its status, the first of its trace and its checkpoints. */
export async function getRunDetail(
  deps: DashboardDeps,
  operator: Operator,
  runId: string,
  signal: AbortSignal,
): Promise<RunDetail> {
  const platform = operator.platform();
  const run = requireRun(await platform.getRun(runId, { signal }));
  const [trace, checkpoints, context] = await Promise.all([
    partOf(platform.runTrace(runId, { limit: TRACE_LIMIT }, { signal })),
    partOf(
      platform.runCheckpoints(
        runId,
        { sort_by: 'sequence', sort_order: 'asc', limit: CHECKPOINT_LIMIT },
        { signal },
      ),
    ),
    viewContext(deps),
  ]);
  return toRunDetail(run, trace, checkpoints, context);
}
