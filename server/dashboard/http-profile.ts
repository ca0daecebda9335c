import type { Route } from '../contract/route.ts';
import type { Answer } from '../http/answer.ts';
import type { Door } from '../http/door-guard.ts';
import type { HttpProfile, RequestContext } from '../http/http-profile.ts';
import { isOneOf } from '../http/same-secret.ts';
import type { Issue } from '../http/validation-issues.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { DashboardDeps, Operator } from './deps.ts';
import type { DashboardMetrics } from './metrics/metrics.ts';
import { bearerOf } from './metrics/route.ts';
import { type Identity, resolveOperator, STATIC_IDENTITY } from './operator.ts';
import { asDashboardFailure, envelope, refuse } from './refusals.ts';
import { guardDoor, isApiPath, setCorsHeaders, setResponseHeaders } from './request-guard.ts';

const BODY_LIMIT = 1024 * 1024 + 64 * 1024;

/** The first finding as one line. */
function summary(issues: readonly Issue[]): string {
  const first = issues[0];
  if (first === undefined) return 'The request is not valid.';
  return `${first.loc.join('.')}: ${first.msg}`;
}

function refusals(): HttpProfile<Operator>['refusals'] {
  return {
    notFound: () => refuse('not_found'),
    methodNotAllowed: () => refuse('method_not_allowed'),
    tooLarge: (limit) => refuse('payload_too_large', { details: { max_body_bytes: limit } }),
    invalid: (issues) =>
      refuse('request_invalid', { message: summary(issues), details: { errors: [...issues] } }),
    internal: () => refuse('internal_error'),
    storeUnavailable: () => refuse('store_unavailable'),
  };
}

/** Answers platform failures as refusals; what the platform said of a 5xx goes to the log only. */
async function translateFailures(
  deps: DashboardDeps,
  context: RequestContext<Operator>,
  next: () => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  try {
    return await next();
  } catch (error) {
    const failure = asDashboardFailure(error);
    if (context.signal.aborted) throw refuse('service_unavailable', { cause: error });
    if (failure instanceof Refusal && failure !== error && failure.status >= 500) {
      deps.log.warn({ request_id: context.requestId, err: error }, 'a platform call failed');
    }
    throw failure;
  }
}

/** How the dashboard speaks HTTP: its checks in the order of contract/dashboard.md 3. */
export function dashboardProfile(
  deps: DashboardDeps,
  metrics: DashboardMetrics,
  options: {
    /** Empty: everybody is the static operator. */
    readonly keys: readonly string[];
    readonly door: Door;
    readonly checkResponses: boolean;
  },
): HttpProfile<Operator> {
  const { config } = deps;
  const identify = (headers: Readonly<Record<string, unknown>>): Identity => {
    if (options.keys.length > 0) {
      const { authorization, 'x-kneo-api-key': other } = headers;
      const bearer = bearerOf(typeof authorization === 'string' ? authorization : undefined);
      const given = bearer === '' && typeof other === 'string' ? other : bearer;
      if (!isOneOf(given, options.keys)) throw refuse('unauthorized');
    }
    return { identity: STATIC_IDENTITY, role: config.staticRole };
  };
  return {
    prefixes: ['/api'],
    bodyLimit: BODY_LIMIT,
    requestId: () => `bff-${deps.ids.hex()}`,
    envelope,
    refusals: refusals(),
    everyRequest: (request, reply) => {
      setResponseHeaders(request, reply);
      setCorsHeaders(request, reply, config.corsOrigins);
      guardDoor(request, options.door);
    },
    afterBody: (route: Route, request) =>
      resolveOperator(
        deps,
        (asked) => deps.signIn?.identify(asked) ?? identify(asked.headers),
        route,
        request,
      ),
    around: (_route, _input, context, next) =>
      translateFailures(deps, context, () => next(context)),
    accessLog: (entry) => {
      if (!isApiPath(entry.path)) return;
      metrics.request(entry);
      const { route: _route, ...fields } = entry;
      deps.log.info(fields, 'request');
    },
    log: deps.log,
    checkResponses: options.checkResponses,
  };
}
