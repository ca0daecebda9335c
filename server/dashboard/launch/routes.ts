import * as contract from '../../contract/dashboard/launch.ts';
import { createRun, explainSpec } from '../../contract/platform/client-routes.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { required } from '../../platform-client/answers.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';
import { readExplanation } from '../platform-answers.ts';
import { deployLaunch } from './deploy-launch.ts';
import { detailsOf, keptOptions } from './launch-details.ts';
import { listLaunchHistory, rememberLaunch } from './launch-history.ts';
import { effectiveEnvironment, projectHeaders, runBody, specBody } from './launch-input.ts';
import { readResults } from './launch-results.ts';

/** Binds Load, Deploy, Run and the history of launches. */
export function registerLaunchRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.loadLaunch, async ({ body }, { principal, signal }) => {
    effectiveEnvironment(principal, body);
    // It is told independent of the environment (S13).
    const input = { body: specBody(body, null) };
    const platform = principal.platform();
    const answer = await platform.read(explainSpec, readExplanation, input, { signal });
    return { summary: answer.summary ?? {} };
  });

  app.implement(contract.deployLaunch, ({ body }, { principal, signal }) => {
    const environment = effectiveEnvironment(principal, body);
    const options = { signal, headers: projectHeaders(deps, body) };
    return deployLaunch(principal.platform(), specBody(body, environment), options);
  });

  app.implement(contract.runLaunch, async ({ body }, { principal, headers }) => {
    const environment = effectiveEnvironment(principal, body);
    const key = idempotencyKeyOf(headers, deps.ids);
    const platform = principal.platform();
    const sent = runBody(deps, body, environment);
    const details = detailsOf(body.source, keptOptions(body));
    const answer = await audited(
      deps.audit,
      principal,
      { action: 'launch.run', environment, details, target: (run) => run.run_id },
      async () => {
        const run = await keyedCall(() =>
          platform.call(createRun, { body: sent }, { idempotencyKey: key }),
        );
        // What started nothing that can be found again is not told as a run.
        return { ...run, run_id: required(run.run_id, 'run_id') };
      },
    );
    await rememberLaunch(deps, principal, {
      spec: body.spec ?? null,
      spec_path: body.spec_path ?? null,
      environment,
      run_id: answer.run_id,
      details,
    });
    return {
      run_id: answer.run_id,
      status: answer.status ?? '',
      idempotency_key: key,
    };
  });

  app.implement(contract.listLaunches, async (_input, { principal }) => ({
    entries: await listLaunchHistory(deps, principal),
  }));

  app.implement(contract.listLaunchResults, ({ query }, { principal, signal }) => {
    const ids = query.run_ids.split(',').filter((id) => id !== '');
    return readResults(principal.platform(), ids, signal);
  });
}
