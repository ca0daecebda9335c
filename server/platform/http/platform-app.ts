import type { FastifyRequest } from 'fastify';
import { MAX_IDEMPOTENCY_KEY_CHARS } from '../../contract/platform/limits.ts';
import { PLATFORM_SCOPES, type PlatformScope } from '../../contract/platform/scopes.ts';
import type { Route } from '../../contract/route.ts';
import { createHttpApp, type HttpApp } from '../../http/http-app.ts';
import type { HttpProfile } from '../../http/http-profile.ts';
import type { Issue } from '../../http/validation-issues.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import type { PlatformDeps } from '../deps.ts';
import { createIdempotency } from '../idempotency/idempotency.ts';
import { hasScope, type Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { accessLine } from './access-line.ts';
import { createAuthenticator } from './authenticate.ts';
import { guardDoor } from './guard-door.ts';
import { createRateLimit } from './rate-limit.ts';

function invalidRequest(issues: readonly Issue[]): Refusal {
  const errors = issues.map((issue) => ({
    ...issue,
    type: issue.type === 'enum' ? 'literal_error' : issue.type,
  }));
  const message = errors.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; ');
  return refuse('request_invalid', { message, details: { errors } });
}

function scopeOf(route: Route): PlatformScope | null {
  if (route.access === null) return null;
  const scope = PLATFORM_SCOPES.find((item) => item === route.access);
  if (scope === undefined) throw new TypeError(`${route.id} declares an unknown scope`);
  return scope;
}

function refuseUnknownQuery(route: Route, request: FastifyRequest): void {
  const known = route.query?.shape ?? {};
  const unknown = Object.keys(request.query ?? {}).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  unknown.sort();
  throw refuse('unknown_query_parameters', {
    message: `Unknown query parameters: ${unknown.join(', ')}`,
    details: { unknown },
  });
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  const key = (Array.isArray(header) ? header.join(', ') : (header ?? '')).trim();
  if (key.length > MAX_IDEMPOTENCY_KEY_CHARS) throw refuse('invalid_idempotency_key');
  return key === '' ? null : key;
}

/** The HTTP side of the Run Platform: order of checks and envelope of contract/platform.md 1 and 2.1. */
export function createPlatformApp(deps: PlatformDeps): HttpApp<Principal> {
  const authenticate = createAuthenticator(deps.keys, deps.requireKey);
  const limitRate = createRateLimit(deps.config.rateLimitPerMinute, deps.clock);
  const profile: HttpProfile<Principal> = {
    prefixes: ['/v1', ''],
    bodyLimit: deps.config.limits.max_body_bytes,
    requestId: (incoming) =>
      incoming === undefined || incoming.trim() === '' ? deps.ids.uuid() : incoming,
    envelope: (failure) => ({
      detail: { error: failure.code, message: failure.message, ...failure.details },
    }),
    refusalHeaders: (failure): Readonly<Record<string, string>> =>
      failure.status === 401 ? { 'www-authenticate': 'Bearer' } : {},
    refusals: {
      notFound: () => refuse('not_found'),
      methodNotAllowed: () => refuse('method_not_allowed'),
      tooLarge: (limit) => refuse('payload_too_large', { details: { max_body_bytes: limit } }),
      invalid: invalidRequest,
      internal: () => refuse('internal_error'),
      storeUnavailable: () => refuse('store_unavailable'),
      unreadable: () => refuse('invalid_request', { message: 'The request cannot be read.' }),
    },
    everyRequest: (request, reply) => {
      const [path = '/', ...query] = request.originalUrl.split('?');
      guardDoor(path, request.raw, deps.door);
      const slashed = path.length > 1 && path.endsWith('/') && !request.is404;
      if (!slashed) return;
      const target = [withoutTrailingSlashes(path), ...query].join('?');
      void reply.redirect(target, 307);
    },
    beforeBody: (route, request) => {
      const scope = scopeOf(route);
      if (scope === null)
        return {
          name: 'anonymous',
          scopes: new Set(),
          idempotencyKey: null,
          pendingRecord: null,
          uncount: () => undefined,
        };
      const caller = authenticate(request.headers);
      const uncount = limitRate(caller.name);
      if (!hasScope(caller.scopes, scope)) {
        throw refuse('forbidden', { details: { required_scope: scope } });
      }
      refuseUnknownQuery(route, request);
      const idempotencyKey = idempotencyKeyOf(request);
      return { ...caller, idempotencyKey, pendingRecord: null, uncount };
    },
    around: createIdempotency(deps),
    log: deps.log,
    trailingSlashRedirect: true,
    requireJsonType: true,
    unwantedBody: 'ignored',
    checkResponses: deps.checkResponses,
    ...(deps.config.requestLogs
      ? {
          accessLog: (entry, request): void =>
            deps.log.info(accessLine(entry, deps.telemetry?.traceIdOf(request)), 'http_request'),
        }
      : {}),
  };
  const app = createHttpApp(profile);
  deps.telemetry?.traceRequests(app.fastify);
  return app;
}
