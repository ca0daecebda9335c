import type { HumanRequest } from '../../contract/platform/human-request.ts';
import { humanRequest } from '../../contract/platform/human-request.ts';
import {
  type RunRecord,
  type RunResult,
  type RunStatusName,
  runStatus,
} from '../../contract/platform/runs.ts';
import { type Usage, usageParts } from '../../engine/usage.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import { parseObject, parseTexts, redactObject, redactText } from '../redaction.ts';
import { shownMetadata } from './created-metadata.ts';
import type { RunChange } from './run-columns.ts';

/** A run's row without its messages. */
type ShortRow = Omit<RunsTable, 'messages'>;

/** The stored status as one of the eight. */
export function statusOf(row: Pick<RunsTable, 'status'>): RunStatusName {
  return runStatus.parse(row.status);
}

function kindOf(row: Pick<RunsTable, 'workflow_kind'>): 'workflow' | 'agent' {
  return row.workflow_kind === 'agent' ? 'agent' : 'workflow';
}

function maskedText(text: string | null): string | null {
  return text === null ? null : redactText(text);
}

/** A stored human request, redacted. */
export function requestView(text: string | null): HumanRequest | null {
  if (text === null) return null;
  const parsed = humanRequest.safeParse(redactObject(parseObject(text)));
  return parsed.success ? parsed.data : null;
}

function errorView(text: string | null): { message: string; type: string } | null {
  if (text === null) return null;
  const error = redactObject(parseObject(text));
  const { message, type } = error;
  return {
    ...error,
    message: typeof message === 'string' ? message : '',
    type: typeof type === 'string' ? type : 'error',
  };
}

/** Usage as integers; prompt and completion tokens are aliases (contract/platform.md 3.5). */
function usageView(text: string | null): Usage | null {
  if (text === null) return null;
  const usage = parseObject(text);
  const count = (...names: string[]): number | undefined => {
    const value = names.map((name) => usage[name]).find((item) => typeof item === 'number');
    return typeof value === 'number' ? value : undefined;
  };
  const input = count('input_tokens', 'prompt_tokens') ?? 0;
  const output = count('output_tokens', 'completion_tokens') ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: count('total_tokens') ?? input + output,
    ...usageParts((name) => count(name) ?? 0),
  };
}

/** What the execution added, redacted; `usage` is always there. */
export function outcomeMetadata(row: Pick<RunsTable, 'usage' | 'run_metadata'>): JsonObject {
  const usage = usageView(row.usage);
  return {
    ...redactObject(parseObject(row.run_metadata)),
    usage: usage === null ? null : { ...usage },
  };
}

/** Metadata of create and of the execution, redacted; `created` where it was redacted already. */
function metadataView(
  row: ShortRow,
  created: Readonly<JsonObject> = shownMetadata(row.created_metadata),
): JsonObject {
  return { ...created, ...outcomeMetadata(row) };
}

/** The fields of a run record that execution does not change. */
export function createdFields(row: ShortRow) {
  return {
    id: row.id,
    run_id: row.id,
    input_text: maskedText(row.input_text),
    parent_run_id: row.parent_run_id,
    session_id: row.session_id,
    tags: parseTexts(row.tags),
    created_at: row.created_at,
    deadline_at: row.deadline_at,
  };
}

/** What execution decides of a run, but for its messages; redacted. */
export function statusFields(row: Omit<RunChange, 'messages'>) {
  return {
    status: statusOf(row),
    agent_name: row.agent_name,
    workflow_name: row.workflow_name,
    workflow_kind: kindOf(row),
    output_text: maskedText(row.output_text),
    current_step_index: row.current_step_index,
    current_step_id: row.current_step_id,
    current_node_id: row.current_node_id,
    visited_steps: parseTexts(row.visited_steps),
    visited_nodes: parseTexts(row.visited_nodes),
    pending_human_request: requestView(row.pending_human_request),
    continuation_id: row.continuation_id,
    trace_dropped: row.trace_dropped,
    error: errorView(row.error),
    updated_at: row.updated_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    trace_event_count: row.trace_event_count,
    usage: usageView(row.usage),
  };
}

/** A run record without its messages and metadata (contract/platform.md 3.3). */
export function recordFields(row: ShortRow): Omit<RunRecord, 'metadata' | 'messages'> {
  return { ...createdFields(row), ...statusFields(row) };
}

/** Events of a result's own trace; a longer one is read by GET /runs/{id}/trace. */
export const MAX_RESULT_EVENTS = 1000;

/** Reads the stored trace events of a run, first to last, at most so many. */
export type ReadTrace = (runId: string, limit: number) => JsonObject[];

/** Metadata with the trace that a leg which has ended left (contract/platform.md 3.4). */
function resultMetadata(row: ShortRow, metadata: JsonObject, readTrace: ReadTrace): JsonObject {
  if (row.status === 'queued' || row.status === 'running') return metadata;
  return {
    ...metadata,
    trace: { run_id: row.id, events: readTrace(row.id, MAX_RESULT_EVENTS) },
  };
}

/**
 * Row → answer of an operation that executed (contract/platform.md 3.2); `created` is the metadata
 * of the create where it was redacted already.
 */
export function toRunResult(row: ShortRow, readTrace: ReadTrace, created?: JsonObject): RunResult {
  const blocked = row.status === 'blocked';
  const metadata = resultMetadata(row, metadataView(row, created), readTrace);
  const request = requestView(row.pending_human_request);
  if (blocked && request !== null && isJsonObject(request)) metadata['request'] = request;
  return {
    run_id: row.id,
    status: row.status,
    output_text: maskedText(row.output_text),
    human_intervention_required: blocked,
    continuation_id: row.continuation_id,
    metadata,
  };
}
