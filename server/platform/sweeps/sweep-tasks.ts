import { expiryAnswer } from '../../engine/human.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { ContinuationsTable } from '../../store/platform-tables.ts';
import type { AuditInput } from '../audit/record-audit.ts';
import { tellAudit } from '../audit/tell-audit.ts';
import type { PlatformDeps } from '../deps.ts';
import { answerTask } from '../human-tasks/answer-task.ts';
import { endRun } from '../legs/end-run.ts';
import { parseObject, redactText } from '../redaction.ts';
import { takeLock } from '../take-lock.ts';
import type { DeadlineWatch } from './deadline-watch.ts';

export interface TaskSweep {
  expired: number;
  continued: number;
  escalated: number;
  failed: number;
}

function facts(task: ContinuationsTable, now: number): JsonObject {
  return {
    timeout_seconds: parseObject(task.request)['timeout_seconds'] ?? null,
    expired_at: now,
    expires_at: task.expires_at,
    on_timeout: task.on_timeout,
  };
}

function eventOf(
  task: ContinuationsTable,
  event_type: AuditInput['event_type'],
  metadata: JsonObject,
): AuditInput {
  return {
    event_type,
    actor: null,
    run_id: task.run_id,
    continuation_id: task.id,
    metadata,
  };
}

function expire(deps: PlatformDeps, task: ContinuationsTable, nowMs: number): boolean {
  const row = deps.runs.find(task.run_id);
  if (row === undefined || row.status !== 'blocked') {
    deps.continuations.delete(task.id);
    return false;
  }
  const { changed } = endRun(deps, row, { type: 'task_expired', at: nowMs });
  if (changed) deps.recordAudit(eventOf(task, 'human.expired', facts(task, nowMs / 1000)));
  return changed;
}

function escalate(deps: PlatformDeps, task: ContinuationsTable, nowMs: number): void {
  const request = parseObject(task.request);
  const escalated = {
    ...request,
    escalated_at: nowMs / 1000,
    original_expires_at: task.expires_at,
  };
  deps.continuations.escalate(task.id, JSON.stringify(escalated), toTimestamp(nowMs));
  const metadata = {
    ...facts(task, nowMs / 1000),
    assignee: request['assignee'] ?? null,
  };
  deps.recordAudit(eventOf(task, 'human.escalated', metadata));
}

/** Fails the run whose automatic answer could not be carried out. */
function failContinued(
  deps: PlatformDeps,
  task: ContinuationsTable,
  nowMs: number,
  error: { type: string; message: string },
): void {
  const row = deps.runs.find(task.run_id);
  if (row !== undefined && row.status === 'blocked') {
    endRun(deps, row, { type: 'failed', at: nowMs, error });
  }
  deps.continuations.delete(task.id);
  const metadata = {
    error_type: error.type,
    error_message: redactText(error.message),
    on_timeout: task.on_timeout,
  };
  deps.recordAudit(eventOf(task, 'human.continue_failed', metadata));
}

async function goOn(
  deps: PlatformDeps,
  task: ContinuationsTable,
  nowMs: number,
): Promise<'continued' | 'failed'> {
  const row = deps.runs.find(task.run_id);
  const request = deps.runStates.find(task.run_id)?.pause?.request;
  const failed = async (error: { type: string; message: string }): Promise<'failed'> => {
    await deps.commits.turn(() => failContinued(deps, task, nowMs, error));
    return 'failed';
  };
  if (row === undefined || request === undefined) {
    return failed({ type: 'RuntimeError', message: 'The run cannot go on.' });
  }
  const end = await answerTask(deps, row, expiryAnswer(request), 'resume', null);
  if (end.kind === 'unbuildable') return failed(end.problem);
  if (end.kind === 'settled' && end.outcome.status === 'failed' && end.outcome.error !== null) {
    return failed(end.outcome.error);
  }
  await tellAudit(deps, eventOf(task, 'human.continued', facts(task, nowMs / 1000)));
  return 'continued';
}

async function sweepOne(deps: PlatformDeps, task: ContinuationsTable, counts: TaskSweep) {
  const nowMs = deps.clock.now();
  const current = deps.continuations.find(task.id);
  if (current === undefined || current.status !== 'pending') return;
  if (current.on_timeout === 'escalate') {
    await deps.commits.turn(() => escalate(deps, current, nowMs));
    counts.escalated += 1;
  } else if (current.on_timeout === 'continue') {
    counts[await goOn(deps, current, nowMs)] += 1;
  } else if (await deps.commits.turn(() => expire(deps, current, nowMs))) counts.expired += 1;
}

/** Carries out `on_timeout` of every task past its deadline (contract/platform.md 6.2, 6.6). */
export async function sweepTasks(deps: PlatformDeps, watch: DeadlineWatch): Promise<TaskSweep> {
  const counts: TaskSweep = { expired: 0, continued: 0, escalated: 0, failed: 0 };
  const now = deps.clock.now() / 1000;
  const overdue = watch.overdue(deps.continuations.nextDeadlines(now), now);
  const late = deps.continuations.read([...overdue]);
  for (const task of [...deps.continuations.expired(now), ...late]) {
    try {
      const release = await takeLock(deps, `continuation:${task.id}`);
      if (release === undefined) continue;
      await sweepOne(deps, task, counts).finally(release);
    } catch (error) {
      counts.failed += 1;
      deps.log.error({ continuation_id: task.id, err: error }, 'a task could not be swept');
    }
  }
  return counts;
}
