import {
  getHumanTask,
  listHumanTasks,
  resumeHumanTask,
} from '../../contract/dashboard/human-tasks.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall, mintTag } from '../keyed-call.ts';
import { pageFacts, requireObjects, text, textOrNull } from '../read.ts';
import { type TaskContext, toTaskDetail, toTaskRow } from './human-task-view.ts';

function contextOf(deps: DashboardDeps): TaskContext {
  return { nowMs: deps.clock.now(), nearSeconds: deps.config.near_deadline };
}

/** Binds the queue of human tasks, one task, and its answer. */
export function registerHumanTaskRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listHumanTasks, async ({ query }, { principal, signal }) => {
    const { limit, offset } = query;
    const status = query.status === '' ? undefined : query.status;
    const body = await principal
      .platform()
      .listHumanTasks(
        { status, sort_by: 'expires_at', sort_order: 'asc', limit, offset },
        { signal },
      );
    const rows = requireObjects(body, 'tasks').map((task) => toTaskRow(task, contextOf(deps)));
    return { rows, ...pageFacts(body, rows.length, { limit, offset }) };
  });

  app.implement(getHumanTask, async ({ params }, { principal, signal }) => {
    const task = await principal.platform().getHumanTask(params.continuation_id, { signal });
    return toTaskDetail(task, params.continuation_id, contextOf(deps));
  });

  app.implement(resumeHumanTask, async ({ params, body }, { principal, headers }) => {
    const key = idempotencyKeyOf(headers, deps.ids);
    const platform = principal.platform();
    const target = params.continuation_id;
    const requestId = body.request_id ?? '';
    const sent = {
      request_id: requestId === '' ? mintTag(deps.ids) : requestId,
      decision: body.decision,
      ...(typeof body.content === 'string' ? { content: body.content } : {}),
      ...(typeof body.selected_option === 'string'
        ? { selected_option: body.selected_option }
        : {}),
    };
    const facts = { action: 'hitl.resume', target, environment: principal.environment };
    const answer = await audited(deps.audit, principal, facts, () =>
      keyedCall(() => platform.resumeHumanTask(target, sent, { idempotencyKey: key })),
    );
    return {
      continuation_id: target,
      status: text(answer['status']),
      run_id: textOrNull(answer['run_id']),
      idempotency_key: key,
    };
  });
}
