import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { Continuation } from '../../engine/human.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { Outbox } from './outbox.ts';

function errorType(error: string | null): string | null {
  if (error === null) return null;
  const { type }: { type?: unknown } = JSON.parse(error);
  return typeof type === 'string' ? type : null;
}

/** A run that is over: how it ended, without what was said in it. */
export function noteRunEnded(outbox: Outbox, row: RunsTable): void {
  if (!isTerminalStatus(row.status) || !outbox.isWanted('run.ended')) return;
  const { id, status, workflow_name, workflow_kind, agent_name, session_id, environment } = row;
  const { started_at, completed_at, error, usage } = row;
  outbox.note({
    type: 'run.ended',
    data: {
      run_id: id,
      ...{ status, workflow_name, workflow_kind, agent_name, session_id, environment },
      ...{ started_at, completed_at },
      error_type: errorType(error),
      usage: usage === null ? null : JSON.parse(usage),
    },
  });
}

/** A person is asked: what kind of answer is wanted of whom until when. */
export function noteTaskCreated(outbox: Outbox, task: Continuation): void {
  const { type, assignee, requested_by, on_timeout } = task.pending_human_request;
  outbox.note({
    type: 'task.created',
    data: {
      run_id: task.run_id,
      continuation_id: task.id,
      task_type: type,
      ...{ assignee, requested_by, on_timeout },
      expires_at: task.expires_at,
    },
  });
}
