import {
  getHumanTask,
  listHumanTasks,
  resumeHumanTask,
} from '../../contract/dashboard/human-tasks.ts';
import { resumeHumanTask as upstreamResume } from '../../contract/platform/client-routes.ts';
import * as upstream from '../../contract/platform/human-tasks.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { required } from '../../platform-client/answers.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall, mintTag } from '../keyed-call.ts';
import { readTask, readTaskPage } from '../platform-answers.ts';
import { pageFacts } from '../read.ts';
import { type TaskContext, toTaskDetail, toTaskRow } from './human-task-view.ts';

function contextOf(deps: DashboardDeps): TaskContext {
  return { nowMs: deps.clock.now(), nearSeconds: deps.config.nearDeadline };
}

/** Binds the queue of human tasks, one task, and its answer. */
export function registerHumanTaskRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listHumanTasks, async ({ query }, { principal, signal }) => {
    const { limit, offset } = query;
    const status = query.status === '' ? undefined : query.status;
    const sent = { status, sort_by: 'expires_at', sort_order: 'asc', limit, offset };
    const body = await principal
      .platform()
      .read(upstream.listHumanTasks, readTaskPage, { query: sent }, { signal });
    const rows = required(body.tasks, 'tasks').map((task) => toTaskRow(task, contextOf(deps)));
    return { rows, ...pageFacts(body, rows.length, { limit, offset }) };
  });

  app.implement(getHumanTask, async ({ params }, { principal, signal }) => {
    const task = await principal
      .platform()
      .read(upstream.getHumanTask, readTask, { params }, { signal });
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
    const facts = { action: 'hitl.resume' as const, target, environment: principal.environment };
    const answer = await audited(deps.audit, principal, facts, () =>
      keyedCall(() =>
        platform.call(upstreamResume, { params, body: sent }, { idempotencyKey: key }),
      ),
    );
    return {
      continuation_id: target,
      status: answer.status ?? '',
      run_id: answer.run_id ?? null,
      idempotency_key: key,
    };
  });
}
