import { type ActionResult, cancelRun, continueRun } from '../../contract/dashboard/run-actions.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';
import { text, textOrNull } from '../read.ts';

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
  const answer = await audited(deps.audit, principal, facts, () =>
    keyedCall(() =>
      action === 'cancel'
        ? platform.cancelRun(runId, { idempotencyKey: key })
        : platform.continueRun(runId, { idempotencyKey: key }),
    ),
  );
  const answered = textOrNull(answer['run_id']);
  const isNew = action === 'continue' && answered !== runId;
  return {
    action,
    run_id: runId,
    status: text(answer['status']),
    new_run_id: isNew ? answered : null,
    continuation_id: textOrNull(answer['continuation_id']),
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
