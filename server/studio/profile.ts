import { refuse } from '../contract/studio/errors.ts';
import type { ErrorEnvelope } from '../contract/studio/fields.ts';
import type { Door } from '../http/door-guard.ts';
import type { HttpProfile } from '../http/http-profile.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Caller } from './caller.ts';
import type { StudioDeps } from './deps.ts';
import { authorize, requireListenerKey } from './session/authorize.ts';
import { guardNetwork } from './session/network-guard.ts';
import { followChangedTrust } from './trust/follow-trust.ts';

function envelope(failure: Refusal, requestId: string): ErrorEnvelope {
  const { details } = failure;
  return {
    code: failure.code,
    message: failure.message,
    request_id: failure.requestId ?? requestId,
    ...(details === undefined || Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** Headers of a refusal: the id of the envelope, and what every answer of an export carries. */
function refusalHeaders(failure: Refusal): Record<string, string> {
  return failure.requestId === undefined ? {} : { 'x-request-id': failure.requestId };
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** The studio's order of checks, envelope and guards (studio.md 1). */
export function studioProfile(
  deps: StudioDeps,
  options: {
    /** Empty: everybody is the local owner. */
    readonly keys: readonly string[];
    readonly door: Door;
    readonly checkResponses: boolean;
    /** The window is served from here too. */
    readonly hasWindow: boolean;
  },
): HttpProfile<Caller> {
  return {
    prefixes: ['/api'],
    bodyLimit: deps.config.maxRequestBytes,
    requestId: () => `bff-${deps.ids.hex()}`,
    envelope,
    refusalHeaders,
    refusals: {
      notFound: () => refuse('not_found'),
      methodNotAllowed: () => refuse('method_not_allowed'),
      tooLarge: () => refuse('request_too_large'),
      invalid: (errors) => refuse('request_invalid', { details: { errors } }),
      internal: () => refuse('internal_error'),
      storeUnavailable: () => refuse('store_unavailable'),
    },
    everyRequest: (request, reply) => {
      const path = request.originalUrl.split('?')[0] ?? '/';
      if (path.endsWith('/export')) {
        void reply.header('cache-control', 'no-store').header('vary', 'Cookie');
      }
      guardNetwork(deps, options.door, request);
      if (request.method === 'GET' && !isApiPath(path) && !options.hasWindow) {
        throw refuse('spa_not_built');
      }
    },
    beforeBody: async (route, request) => {
      requireListenerKey(options.keys, route, request);
      await followChangedTrust(deps);
      return authorize(deps, route, request);
    },
    accessLog: (entry) => deps.log.info({ ...entry }, 'request'),
    log: deps.log,
    checkResponses: options.checkResponses,
  };
}
