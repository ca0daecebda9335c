import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from '../../identity/access-tokens.ts';
import type { OidcFault, OidcFlow } from '../../identity/oidc-client.ts';
import { bearerOf } from '../../identity/request-bearer.ts';
import { newToken } from '../../identity/secret-token.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import { getAccessMap } from '../access/access-map.ts';
import { isRole } from '../access/capabilities.ts';
import type { DashboardConfig, SignInConfig } from '../config.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Identity } from '../operator.ts';
import { refuse } from '../refusals.ts';
import {
  clearedHandshake,
  handshakeCookie,
  handshakeOf,
  sessionCookie,
  sessionIdOf,
} from './cookies.ts';
import { operatorOf } from './role-of.ts';
import { deleteSession, findSession, insertSession, touchSession } from './sessions-repository.ts';
import type { Redirect, Returned, SignInPort } from './sign-in-port.ts';

const TOUCH_MS = 30_000;
const STATE_MS = 3_600_000;
const FAULTS = {
  refused: () => refuse('bad_request', { message: 'The identity provider refused the sign-in.' }),
  invalid_token: () =>
    refuse('unauthorized', {
      message: 'The identity provider vouched for nobody that can be checked.',
    }),
  unreachable: () =>
    refuse('upstream_error', { message: 'The identity provider could not be reached.' }),
} as const;

interface Oidc {
  readonly flow: OidcFlow;
  readonly faultOf: (error: unknown) => OidcFault;
}

/** Sign-in of operators at an identity provider (contract/dashboard.md 5). */
export class OperatorSignIn implements SignInPort {
  readonly #deps: Pick<DashboardDeps, 'db' | 'clock' | 'log'>;
  readonly #settings: SignInConfig;
  readonly #cookie: string;
  #oidc: Promise<Oidc> | undefined;
  #tokens: Promise<AccessTokens> | undefined;
  /** States that came back already, until nobody could bring them again. */
  readonly #used = new Map<string, number>();

  constructor(
    deps: Pick<DashboardDeps, 'db' | 'clock' | 'log'>,
    config: Pick<DashboardConfig, 'sessionCookie'>,
    settings: SignInConfig,
  ) {
    this.#deps = deps;
    this.#settings = settings;
    this.#cookie = config.sessionCookie;
  }

  /** The library is read when somebody first signs in, not when the dashboard starts. */
  #opened(): Promise<Oidc> {
    this.#oidc ??= import('../../identity/oidc-client.ts').then(({ faultOf, OidcFlow }) => {
      const { issuer, clientId, clientSecret, redirectUrl, scopes } = this.#settings;
      const client = { issuer, clientId, clientSecret };
      return { faultOf, flow: OidcFlow.discovered(client, redirectUrl, scopes) };
    });
    return this.#oidc;
  }

  /** Sends a browser to the provider. */
  async start(): Promise<Redirect> {
    const { flow } = await this.#opened();
    const attempt = flow.newAttempt();
    const location = await flow.address(attempt).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the identity provider does not answer');
      throw FAULTS.unreachable();
    });
    const cookie = handshakeCookie(attempt, this.#deps.clock.now(), this.#settings.secret);
    return { location, cookies: [cookie] };
  }

  /** True the first time that a state comes back. */
  #isFresh(state: string, now: number): boolean {
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used);
    if (this.#used.has(state)) return false;
    this.#used.set(state, now + STATE_MS);
    return true;
  }

  /** Takes a browser back, with a session. @throws Refusal that says why not */
  async finish(given: Returned, request: FastifyRequest): Promise<Redirect> {
    const { clock, db, log } = this.#deps;
    const now = clock.now();
    const { code, state, iss, error } = given;
    if (error !== undefined) {
      throw refuse('bad_request', {
        message: 'The identity provider refused the sign-in.',
        details: { provider_error: error.slice(0, 128) },
      });
    }
    const handshake = handshakeOf(request, now, this.#settings.secret);
    const fits = handshake !== undefined && handshake.state === state && code !== undefined;
    if (!fits || !this.#isFresh(handshake.state, now)) {
      throw refuse('bad_request', { message: 'This sign-in is over. Begin again.' });
    }
    const { faultOf, flow } = await this.#opened();
    const claims = await flow.exchange({ code, iss }, handshake).catch((cause: unknown) => {
      log.warn({ err: cause }, 'a sign-in at the identity provider failed');
      throw FAULTS[faultOf(cause)]();
    });
    const { identity, role } = this.#operator(claims);
    const id = newToken();
    const { ttlSeconds, secret, afterLogin } = this.#settings;
    const at = toTimestamp(now);
    await insertSession(db, {
      id,
      operator_identity: identity,
      role,
      created_at: at,
      expires_at: toTimestamp(now + ttlSeconds * 1000),
      last_seen_at: at,
      map_version: (await getAccessMap(db)).version,
    });
    const cookies = [sessionCookie(this.#cookie, id, secret, ttlSeconds), clearedHandshake()];
    return { location: afterLogin, cookies };
  }

  #operator(claims: unknown): Identity {
    const { identity, role } = operatorOf(claims, this.#settings);
    if (role !== undefined) return { identity, role };
    throw refuse('forbidden', {
      message: 'Nobody gave you a role here. Ask who runs the dashboard.',
    });
  }

  #tokensFor(audience: string): Promise<AccessTokens> {
    this.#tokens ??= import('../../identity/access-tokens.ts').then(({ AccessTokens }) => {
      const signer = async () => (await this.#opened()).flow.signer();
      return new AccessTokens(signer, audience, () => this.#deps.clock.now());
    });
    return this.#tokens;
  }

  /** Who asks, by a token of the provider: nothing of it is kept, so each request is checked. */
  async #byToken(token: string, audience: string): Promise<Identity> {
    const checked = await (await this.#tokensFor(audience)).check(token);
    if ('claims' in checked) return this.#operator(checked.claims);
    this.#deps.log.warn({ err: checked.cause }, 'an access token was not taken');
    if (checked.fault === 'unreachable') throw FAULTS.unreachable();
    throw refuse('unauthorized', {
      message: 'The access token is not valid here. Sign in again.',
    });
  }

  /** Who asks, by the token or the session of the request. @throws Refusal `unauthorized` */
  async identify(request: FastifyRequest): Promise<Identity> {
    const token = bearerOf(request.headers);
    const { tokenAudience } = this.#settings;
    return token === undefined || tokenAudience === undefined
      ? this.#bySession(request)
      : this.#byToken(token, tokenAudience);
  }

  async #bySession(request: FastifyRequest): Promise<Identity> {
    const { db, clock } = this.#deps;
    const id = sessionIdOf(request, this.#cookie, this.#settings.secret);
    const row = id === undefined ? undefined : await findSession(db, id);
    const now = clock.now();
    if (row === undefined || (parseTimestamp(row.expires_at) ?? 0) <= now) {
      throw refuse('unauthorized');
    }
    const idle = this.#settings.idleSeconds * 1000;
    const unused = now - (parseTimestamp(row.last_seen_at) ?? 0);
    if (idle > 0 && unused >= idle) throw refuse('unauthorized');
    const { version } = await getAccessMap(db);
    if (row.map_version < version || !isRole(row.role)) throw refuse('unauthorized');
    if (unused > (idle > 0 ? Math.min(TOUCH_MS, idle / 2) : TOUCH_MS)) {
      await touchSession(db, row.id, toTimestamp(now));
    }
    return { identity: row.operator_identity, role: row.role };
  }

  /** Ends the session of a request, if it has one. */
  async end(request: FastifyRequest): Promise<void> {
    const id = sessionIdOf(request, this.#cookie, this.#settings.secret);
    if (id !== undefined) await deleteSession(this.#deps.db, id);
  }
}
