import type { z } from 'zod';
import * as contract from '../../contract/dashboard/run-record.ts';
import { readLenient } from '../../contract/lenient.ts';
import { rerunRun } from '../../contract/platform/client-routes.ts';
import { rerunState } from '../../contract/platform/rerun.ts';
import * as upstream from '../../contract/platform/run-reads.ts';
import { getRun } from '../../contract/platform/runs.ts';
import { getRunUsage, runUsage } from '../../contract/platform/usage.ts';
import type { Route } from '../../contract/route.ts';
import type { SuccessSchema } from '../../contract/told.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { protocolError, required, successOf } from '../../platform-client/answers.ts';
import type { CallInput } from '../../platform-client/route-url.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';
import { rememberLaunch } from '../launch/launch-history.ts';
import { readWhole } from '../read-whole.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

const readUsage = readWhole(runUsage, 'the usage of the run');

/** The platform's own answer, as far as it keeps to the contract. @throws PlatformError */
function asTold<R extends Route>(
  { principal, signal }: RequestContext<Operator>,
  route: R,
  input: CallInput<R>,
): Promise<z.output<SuccessSchema<R>>> {
  const schema = successOf(route);
  const reader = (body: unknown): z.output<SuccessSchema<R>> => {
    const read = readLenient(schema, body);
    if (read === undefined) throw protocolError(route.id);
    return read;
  };
  return principal.platform().read(route, reader, input, { signal });
}

/** Binds what the platform keeps of a run, and the run that begins at one of its checkpoints. */
export function registerRunRecordRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getRunRecord, ({ params }, context) =>
    asTold(context, getRun, { params }),
  );
  app.implement(contract.getTrace, ({ params, query }, context) =>
    asTold(context, upstream.getTrace, { params, query }),
  );
  app.implement(contract.getReplay, ({ params }, context) =>
    asTold(context, upstream.getReplay, { params }),
  );
  app.implement(contract.getRecovery, ({ params }, context) =>
    asTold(context, upstream.getRecovery, { params }),
  );
  app.implement(contract.getRunItems, ({ params, query }, context) =>
    asTold(context, upstream.getRunItems, { params, query }),
  );
  app.implement(contract.getRunUsage, async ({ params }, { principal, signal }) => {
    const asked = principal.platform().read(getRunUsage, readUsage, { params }, { signal });
    const usage = await unlessNotFound(asked);
    return { available: usage !== undefined, steps: usage?.steps ?? [] };
  });
  app.implement(contract.listCheckpoints, ({ params, query }, context) =>
    asTold(context, upstream.listCheckpoints, { params, query }),
  );
  app.implement(contract.rerunState, ({ params, query }, context) =>
    asTold(context, rerunState, { params, query }),
  );
  app.implement(contract.rerunRun, async ({ params, body }, { principal, headers }) => {
    const key = idempotencyKeyOf(headers, deps.ids);
    const { environment } = principal;
    const platform = principal.platform();
    const facts = { action: 'run.rerun' as const, target: params.run_id, environment };
    const { run_id, status } = await audited(deps.audit, principal, facts, async () => {
      const run = await keyedCall(() =>
        platform.call(rerunRun, { params, body }, { idempotencyKey: key }),
      );
      // As a launch: what started nothing that can be found again is not told as a run.
      return { ...run, run_id: required(run.run_id, 'run_id') };
    });
    await rememberLaunch(deps, principal, {
      spec: null,
      spec_path: null,
      rerun_of: params.run_id,
      environment,
      run_id,
    });
    return { run_id, status: status ?? '', idempotency_key: key };
  });
}
