import { type ActionResult, cancelRun, continueRun } from '../../contract/dashboard/run-actions.ts';
import * as upstream from '../../contract/platform/runs.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';

async function act(
  deps: DashboardDeps,
  context: RequestContext<Operator>,
  action: ActionResult['action'],
  runId: string,
): Promise<ActionResult> {
  const { principal } = context;
  const key = idempotencyKeyOf(context.headers, deps.ids);
  const platform = principal.platform();
  const facts = { action: `run.${action}`, target: runId, environment: principal.environment };
  const input = { params: { run_id: runId } };
  const answer = await audited(deps.audit, principal, facts, () =>
    keyedCall(() =>
      action === 'cancel'
        ? platform.call(upstream.cancelRun, input, { idempotencyKey: key })
        : platform.call(upstream.continueRun, input, { idempotencyKey: key }),
    ),
  );
  const answered = answer.run_id ?? null;
  const isNew = action === 'continue' && answered !== runId;
  return {
    action,
    run_id: runId,
    status: answer.status ?? '',
    new_run_id: isNew ? answered : null,
    continuation_id: answer.continuation_id ?? null,
    idempotency_key: key,
  };
}

/** Binds cancel and continue. A client that leaves does not stop the action. */
export function registerRunActionRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(cancelRun, ({ params }, context) => act(deps, context, 'cancel', params.run_id));
  app.implement(continueRun, ({ params }, context) =>
    act(deps, context, 'continue', params.run_id),
  );
}
