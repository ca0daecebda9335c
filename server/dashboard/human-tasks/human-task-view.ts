import type { HumanTaskDetail, HumanTaskRow } from '../../contract/dashboard/human-tasks.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { ageText, NO_AGE, spanText } from '../age.ts';
import type { TaskAnswer, TaskItem } from '../platform-answers.ts';
import { previewOf } from '../preview.ts';
import { firstText, objectOf, type Source, text, textOrNull, textsOf, timeOf } from '../read.ts';

/** Now, and the seconds before a deadline that count as near. */
export interface TaskContext {
  readonly nowMs: number;
  readonly nearSeconds: number;
}

const SUMMARY_FIELDS = ['prompt', 'question', 'message', 'summary', 'title', 'description'];

function requestOf(task: Source): Source {
  if (isJsonObject(task['request'])) return task['request'];
  if (isJsonObject(task['pending_human_request'])) return task['pending_human_request'];
  return task;
}

function summaryOf(request: Source): string {
  for (const name of SUMMARY_FIELDS) {
    const value = text(request[name]).trim();
    if (value !== '') return value;
  }
  return NO_AGE;
}

function requestIdOf(task: Source, request: Source): string | null {
  const own = request === task ? null : firstText(request['request_id'], request['id']);
  return own ?? firstText(task['request_id'], task['pending_human_request_id']);
}

function statusOf(task: Source, request: Source): string {
  const explicit = firstText(task['status']);
  if (explicit !== null) return explicit;
  const escalated = request['escalated_at'];
  return escalated === null || escalated === undefined ? 'pending' : 'escalated';
}

function deadlineOf(task: Source, request: Source): number | undefined {
  const expires = timeOf(task['expires_at']);
  if (expires !== undefined) return expires;
  const created = timeOf(task['created_at']);
  const seconds = request['timeout_seconds'] ?? task['timeout_seconds'];
  if (created === undefined || typeof seconds !== 'number') return undefined;
  return created + seconds * 1000;
}

function deadlineFacts(task: Source, request: Source, context: TaskContext) {
  const deadline = deadlineOf(task, request);
  if (deadline === undefined) {
    return { deadline_age: NO_AGE, near_deadline: false, expires_at: null };
  }
  const left = (deadline - context.nowMs) / 1000;
  return {
    deadline_age: left > 0 ? `in ${spanText(left)}` : 'overdue',
    near_deadline: left <= context.nearSeconds,
    expires_at: deadline / 1000,
  };
}

function optionsOf(request: Source): string[] {
  return textsOf(Array.isArray(request['options']) ? request['options'] : request['choices']);
}

function requestFacts(request: Source) {
  return {
    request_type: firstText(request['request_type'], request['type']),
    options: optionsOf(request),
    default_option: textOrNull(request['default_option']),
    on_timeout: textOrNull(request['on_timeout']),
  };
}

/** A task of the platform's list as a row of the queue (contract/dashboard.md 9). */
export function toTaskRow(task: TaskItem, context: TaskContext): HumanTaskRow {
  const request = requestOf(task);
  return {
    continuation_id: firstText(task.continuation_id, task['id']) ?? '',
    run_id: task.run_id ?? '',
    workflow_name: task.workflow_name ?? '',
    workflow_kind: task.workflow_kind ?? '',
    request_summary: summaryOf(request),
    request_id: requestIdOf(task, request),
    status: statusOf(task, request),
    created_age: ageText(task.created_at, context.nowMs),
    input_preview: previewOf(textOrNull(objectOf(request['context'])['input_text'])),
    ...deadlineFacts(task, request, context),
    ...requestFacts(request),
  };
}

function toMessage(message: Source): HumanTaskDetail['messages'][number] {
  return {
    role: firstText(message['role'], message['sender'], message['author']) ?? NO_AGE,
    content: firstText(message['content'], message['text'], message['message']) ?? '',
    at: firstText(message['timestamp'], message['at'], message['created_at']),
  };
}

/** One task with its conversation. */
export function toTaskDetail(
  task: TaskAnswer,
  continuationId: string,
  context: TaskContext,
): HumanTaskDetail {
  const request = requestOf(task);
  return {
    continuation_id: firstText(task.continuation_id, task['id']) ?? continuationId,
    run_id: task.run_id ?? null,
    workflow_name: task.workflow_name ?? '',
    status: statusOf(task, request),
    request_summary: summaryOf(request),
    request_id: requestIdOf(task, request),
    messages: (task.messages ?? []).map(toMessage),
    title: textOrNull(request['title']),
    prompt: textOrNull(request['prompt']),
    assignee: textOrNull(request['assignee']),
    requested_by: textOrNull(request['requested_by']),
    input_text: textOrNull(objectOf(request['context'])['input_text']),
    context: { ...objectOf(request['context']) },
    response_role: textOrNull(request['response_role']),
    ...deadlineFacts(task, request, context),
    ...requestFacts(request),
  };
}
