import type { CheckpointRow, RunDetail } from '../../contract/dashboard/runs.ts';
import { getTrace, listCheckpoints } from '../../contract/platform/run-reads.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { getRun } from '../../contract/platform/runs.ts';
import { protocolError } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { Query } from '../../platform-client/route-url.ts';
import { ageText } from '../age.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import {
  type CheckpointItem,
  type CheckpointPage,
  type RunState,
  readCheckpointPage,
  readRunState,
  readTracePage,
  type TracePage,
} from '../platform-answers.ts';
import { firstText, integerOrNull, textOrNull } from '../read.ts';
import { refusedWords } from '../trace/trace-source.ts';
import { createSpanClock, droppedFlag, toTraceEvent } from '../trace/trace-view.ts';
import { viewContext } from './list-runs.ts';

import { runIdentity } from './run-identity.ts';
import { errorText, type ViewContext } from './run-view.ts';
import { usageView } from './usage-view.ts';

const TRACE_LIMIT = 200;
const CHECKPOINT_LIMIT = 100;
const REDACTION_MARK = '[REDACTED';

/** A part of the detail that may be missing: 404 and an unusable shape read as empty. */
async function partOf<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const mild = error instanceof PlatformError && ['not_found', 'protocol'].includes(error.family);
    if (mild) return undefined;
    throw error;
  }
}

/** The run record, whose id must be readable. @throws PlatformError `protocol`. */
export async function readRun(
  platform: PlatformClient,
  runId: string,
  signal: AbortSignal,
): Promise<RunState> {
  const input = { params: { run_id: runId } };
  const run = await platform.read(getRun, readRunState, input, { signal });
  if (firstText(run.run_id, run['id']) === null) throw protocolError('the run has no id');
  return run;
}

function toCheckpointRow(checkpoint: CheckpointItem, nowMs: number): CheckpointRow {
  return {
    sequence: checkpoint.sequence ?? 0,
    type: checkpoint.type ?? '',
    node: firstText(checkpoint.node_id, checkpoint.step_id) ?? '',
    age: ageText(checkpoint.created_at, nowMs),
  };
}

function pathOf(run: RunState): string[] {
  const nodes = run.visited_nodes ?? [];
  return [...(nodes.length > 0 ? nodes : (run.visited_steps ?? []))];
}

function toRunDetail(
  run: RunState,
  trace: TracePage | undefined,
  checkpoints: CheckpointPage | undefined,
  context: ViewContext,
): RunDetail {
  const spans = createSpanClock();
  const input = run.input_text ?? null;
  const status = run.status ?? '';
  return {
    run_id: firstText(run.run_id, run['id']) ?? '',
    status,
    agent_name: run.agent_name ?? '',
    workflow_name: run.workflow_name ?? '',
    workflow_kind: run.workflow_kind ?? '',
    current_node_id: run.current_node_id ?? null,
    current_step_index: run.current_step_index ?? null,
    continuation_id: run.continuation_id ?? null,
    ...runIdentity(run),
    trace_event_count: run.trace_event_count ?? 0,
    output_text: run.output_text ?? null,
    input_text: input,
    input_redacted: input?.includes(REDACTION_MARK) ?? false,
    error: errorText(run.error),
    path: pathOf(run),
    is_terminal: isTerminalStatus(status),
    trace: (trace?.events ?? []).map((event) => toTraceEvent(event, spans)),
    trace_complete: trace?.complete ?? null,
    trace_dropped: droppedFlag(trace?.dropped),
    trace_dropped_count: integerOrNull(trace?.dropped),
    checkpoints: (checkpoints?.checkpoints ?? []).map((row) => toCheckpointRow(row, context.nowMs)),
    usage: usageView(run, context.prices),
    created_at: textOrNull(run.created_at),
    updated_at: textOrNull(run.updated_at),
    runtime_mode: textOrNull(run.metadata?.['runtime_mode']),
  };
}

/** The first checkpoints as labels. What each one holds is large, so a platform is asked to leave it out. */
async function firstCheckpoints(
  platform: PlatformClient,
  runId: string,
  signal: AbortSignal,
): Promise<CheckpointPage> {
  const read = (words: Query): Promise<CheckpointPage> => {
    const query = { ...words, sort_by: 'sequence', sort_order: 'asc', limit: CHECKPOINT_LIMIT };
    const input = { params: { run_id: runId }, query };
    return platform.read(listCheckpoints, readCheckpointPage, input, { signal });
  };
  try {
    return await read({ states: false });
  } catch (error) {
    if (!refusedWords(error)) throw error;
    return read({});
  }
}

/** A run composed of its status, the first of its trace and its checkpoints (contract/dashboard.md 9, OD-041). */
export async function getRunDetail(
  deps: DashboardDeps,
  operator: Operator,
  runId: string,
  signal: AbortSignal,
): Promise<RunDetail> {
  const platform = operator.platform();
  const run = await readRun(platform, runId, signal);
  const first = { params: { run_id: runId }, query: { limit: TRACE_LIMIT } };
  const [trace, checkpoints, context] = await Promise.all([
    partOf(platform.read(getTrace, readTracePage, first, { signal })),
    partOf(firstCheckpoints(platform, runId, signal)),
    viewContext(deps),
  ]);
  return toRunDetail(run, trace, checkpoints, context);
}
