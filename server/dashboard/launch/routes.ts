import * as contract from '../../contract/dashboard/launch.ts';
import { createRun, explainSpec } from '../../contract/platform/client-routes.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { requireEnvironment } from '../access/environment-grants.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { idempotencyKeyOf, keyedCall } from '../keyed-call.ts';
import { readExplanation } from '../platform-answers.ts';
import { refuse } from '../refusals.ts';
import { deployLaunch } from './deploy-launch.ts';
import { listLaunchHistory, rememberLaunch } from './launch-history.ts';

interface SpecInput {
  readonly spec?: JsonObject | null | undefined;
  readonly spec_path?: string | null | undefined;
  readonly environment?: string | null | undefined;
}

/**
 * The environment of a launch: the body's, else the active one; checked against the grants.
 * @throws Refusal `bad_request` when both are set and differ, `forbidden`.
 */
function effectiveEnvironment(operator: Operator, input: SpecInput): string | null {
  const own = input.environment?.trim() ?? '';
  const active = operator.environment;
  if (own !== '' && active !== null && own !== active) {
    throw refuse('bad_request', {
      message: 'The environment of the launch is not the active environment.',
    });
  }
  const effective = own === '' ? active : own;
  requireEnvironment(operator.environments, effective);
  return effective;
}

function specBody(input: SpecInput): JsonObject {
  return {
    ...(input.spec === null || input.spec === undefined ? {} : { spec: input.spec }),
    ...(typeof input.spec_path === 'string' ? { spec_path: input.spec_path } : {}),
  };
}

function withEnvironment(body: JsonObject, environment: string | null): JsonObject {
  return environment === null ? body : { ...body, environment };
}

/** Binds Load, Deploy, Run and the history of launches. */
export function registerLaunchRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.loadLaunch, async ({ body }, { principal, signal }) => {
    effectiveEnvironment(principal, body);
    const input = { body: specBody(body) };
    const platform = principal.platform();
    const answer = await platform.read(explainSpec, readExplanation, input, { signal });
    return { summary: answer.summary ?? {} };
  });

  app.implement(contract.deployLaunch, ({ body }, { principal, signal }) => {
    const environment = effectiveEnvironment(principal, body);
    return deployLaunch(principal.platform(), withEnvironment(specBody(body), environment), signal);
  });

  app.implement(contract.runLaunch, async ({ body }, { principal, headers }) => {
    const environment = effectiveEnvironment(principal, body);
    const key = idempotencyKeyOf(headers, deps.ids);
    const platform = principal.platform();
    const sent = {
      input: body.input_text,
      async_mode: body.async_mode,
      ...withEnvironment(specBody(body), environment),
    };
    const answer = await audited(
      deps.audit,
      principal,
      { action: 'launch.run', environment, target: (run) => run.run_id ?? null },
      () => keyedCall(() => platform.call(createRun, { body: sent }, { idempotencyKey: key })),
    );
    await rememberLaunch(deps, principal, {
      spec: body.spec ?? null,
      spec_path: body.spec_path ?? null,
      environment,
      run_id: answer.run_id ?? null,
    });
    return {
      run_id: answer.run_id ?? '',
      status: answer.status ?? '',
      idempotency_key: key,
    };
  });

  app.implement(contract.listLaunches, async (_input, { principal }) => ({
    entries: await listLaunchHistory(deps, principal),
  }));
}
