import type { HumanRequest } from '../../contract/platform/human-request.ts';
import type { Task, TaskItem } from '../../contract/platform/human-tasks.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { ContinuationsTable } from '../../store/platform-tables.ts';
import { parseObject, redactObject, redactText } from '../redaction.ts';
import { requestView } from '../run-record/run-view.ts';

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function statusOf(row: Pick<ContinuationsTable, 'status'>): 'pending' | 'escalated' {
  return row.status === 'escalated' ? 'escalated' : 'pending';
}

/** The stored request, redacted. @throws TypeError when the row does not hold one. */
function requestOf(row: Pick<ContinuationsTable, 'request'>): HumanRequest {
  const request = requestView(row.request);
  if (request === null) throw new TypeError('a continuation holds no human request');
  return request;
}

type TaskRow = Omit<ContinuationsTable, 'shown'>;

/** Row → item of GET /human-tasks, without the run's trace (contract/platform.md 3.8). */
export function toTaskItem(row: TaskRow): Omit<TaskItem, 'trace_events'> {
  const record = redactObject(parseObject(row.payload));
  const index = record['current_step_index'];
  const { variables, metadata } = record;
  const input = textOrNull(record['current_input']);
  return {
    id: row.id,
    continuation_id: row.id,
    request_id: row.request_id,
    status: statusOf(row),
    run_id: row.run_id,
    workflow_name: textOrNull(record['workflow_name']),
    workflow_kind: row.workflow_kind,
    current_step_index: typeof index === 'number' ? index : null,
    current_node_id: textOrNull(record['current_node_id']),
    current_input: input === null ? null : redactText(input),
    visited_steps: texts(record['visited_steps']),
    visited_nodes: texts(record['visited_nodes']),
    messages: objects(record['messages']),
    variables: isJsonObject(variables) ? variables : {},
    pending_human_request_id: row.request_id,
    pending_human_request: requestOf(row),
    expires_at: row.expires_at,
    metadata: isJsonObject(metadata) ? metadata : {},
    created_at: row.created_at,
  };
}

/** The item as JSON text, as it is stored beside the task; null when the row holds no request. */
export function taskItemText(row: TaskRow): string | null {
  return requestView(row.request) === null ? null : JSON.stringify(toTaskItem(row));
}

/** Row → GET /human-tasks/{continuation_id}. */
export function toTask(row: ContinuationsTable): Task {
  const item = toTaskItem(row);
  return {
    continuation_id: row.id,
    request: item.pending_human_request,
    messages: item.messages.length === 0 ? null : item.messages,
    run_id: row.run_id,
    status: item.status,
    expires_at: row.expires_at,
    workflow_name: item.workflow_name,
  };
}
