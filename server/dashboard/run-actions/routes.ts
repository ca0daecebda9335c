import type { ActionResult } from '../../contract/dashboard/run-actions.ts';
import * as contract from '../../contract/dashboard/run-actions.ts';
import { checkRecovery, recoverRun } from '../../contract/platform/client-routes.ts';
import { refit } from '../../contract/platform/recover.ts';
import * as upstream from '../../contract/platform/runs.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { protocolError } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';

/** What the platform answers to each action. */
interface Acted {
  readonly run_id?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly continuation_id?: string | null | undefined;
}

/** What is asked of the platform, under a key of the caller's or a fresh one. */
interface Asked {
  readonly action: ActionResult['action'];
  readonly runId: string;
  readonly call: (platform: PlatformClient, idempotencyKey: string) => Promise<Acted>;
}

/** What an earlier version of the platform does not tell of a fit. */
const UNTOLD = {
  ...{ kind: null, turn: null, renamed: {} },
  ...{ again: [], once_more: [], missing: [], free: [] },
};

async function act(
  deps: DashboardDeps,
  context: RequestContext<Operator>,
  { action, runId, call }: Asked,
): Promise<ActionResult> {
  const { principal } = context;
  const key = idempotencyKeyOf(context.headers, deps.ids);
  const platform = principal.platform();
  const facts = {
    action: `run.${action}` as const,
    target: runId,
    environment: principal.environment,
  };
  const answer = await audited(deps.audit, principal, facts, () =>
    keyedCall(() => call(platform, key)),
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

/** Binds the actions on runs. A client that leaves does not stop one. */
export function registerRunActionRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.cancelRun, ({ params }, context) =>
    act(deps, context, {
      action: 'cancel',
      runId: params.run_id,
      call: (platform, idempotencyKey) =>
        platform.call(upstream.cancelRun, { params }, { idempotencyKey }),
    }),
  );
  app.implement(contract.continueRun, ({ params }, context) =>
    act(deps, context, {
      action: 'continue',
      runId: params.run_id,
      call: (platform, idempotencyKey) =>
        platform.call(upstream.continueRun, { params }, { idempotencyKey }),
    }),
  );
  app.implement(contract.recoverRun, ({ params, body }, context) =>
    act(deps, context, {
      action: 'recover',
      runId: params.run_id,
      call: (platform, idempotencyKey) =>
        platform.call(recoverRun, { params, body }, { idempotencyKey }),
    }),
  );
  app.implement(contract.checkRecovery, async ({ params, body }, { principal, signal }) => {
    const told = await principal.platform().call(checkRecovery, { params, body }, { signal });
    const fit = refit.safeParse({ ...UNTOLD, ...told.fit });
    if (!fit.success) throw protocolError('fit does not say what becomes of the steps');
    return {
      run_id: params.run_id,
      status: told.status ?? '',
      masked: told.masked === true,
      timeout_seconds: told.timeout_seconds ?? null,
      fit: fit.data,
    };
  });
}
