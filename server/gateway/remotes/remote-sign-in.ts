import http from 'node:http';
import type { StoredConnection } from '../../contract/gateway/connections.ts';
import { faultOf, type OidcAttempt } from '../../identity/oidc-client.ts';
import { PublicClient, type PublicTokens } from '../../identity/oidc-public-client.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type GatewayErrorCode, isGatewayCode } from '../gateway-errors.ts';
import { askRemote } from './remote-ask.ts';
import { failureOf } from './remote-failure.ts';
import type { SecretsOfRemotes, StoredTokens } from './remote-secrets.ts';
import type { Way } from './remote-way.ts';
import { signedInPage } from './signed-in-page.ts';

const PATIENCE_MS = 15_000;
/** How long a person may take at the provider. */
const ATTEMPT_MS = 10 * 60_000;
/** A token that ends so soon is renewed before it is used. */
const EARLY_MS = 30_000;

/** How an attempt to sign in stands. */
export type AttemptState =
  | { readonly state: 'none' | 'waiting' | 'done' }
  | { readonly state: 'failed'; readonly code: GatewayErrorCode };

interface Attempt {
  readonly state: AttemptState;
  readonly close: () => void;
}

export interface RemoteSignInDeps {
  readonly secrets: SecretsOfRemotes;
  readonly clock: Clock;
  readonly log: Log;
}

/** A connection that people sign in for, with its way. */
export interface SignInAt {
  readonly connection: StoredConnection;
  readonly way: Way;
}

const FAULTS = {
  refused: 'sign_in_refused',
  invalid_token: 'sign_in_failed',
  unreachable: 'sign_in_unreachable',
} as const;

/** The provider was not reached, as a library's `fetch` would fail. */
class Unreached extends TypeError {
  readonly code: GatewayErrorCode;

  constructor(cause: unknown) {
    super('the provider was not reached', { cause });
    const failure = failureOf(cause);
    this.code = failure === 'connection_unreachable' ? 'sign_in_unreachable' : failure;
  }
}

async function clientOf({ connection, way }: SignInAt): Promise<PublicClient> {
  const { auth } = connection;
  if (auth.kind !== 'oidc') throw new TypeError('this connection has no sign-in');
  const { issuer, client_id: clientId, scope, resource } = auth;
  return PublicClient.at({ issuer, clientId, scope, resource }, async (url, init) => {
    const asked = askRemote(way, new URL(url), { ...init, patienceMs: PATIENCE_MS });
    const { status, headers, body } = await asked.catch((error: unknown) => {
      throw new Unreached(error);
    });
    const kept = new Headers();
    const type = headers['content-type'];
    if (type !== undefined) kept.set('content-type', type);
    return new Response(status === 204 ? null : body, { status, headers: kept });
  });
}

/** Why a provider could not be asked: what the way to it failed with speaks for itself. */
function codeOf(error: unknown): GatewayErrorCode {
  if (error instanceof Refusal && isGatewayCode(error.code)) return error.code;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Unreached) return cause.code;
  }
  return FAULTS[faultOf(error)];
}

/** Signs people in at the providers of connections, in the system's browser. */
export class RemoteSignIn {
  readonly #deps: RemoteSignInDeps;
  readonly #attempts = new Map<string, Attempt>();
  readonly #renewals = new Map<string, Promise<StoredTokens | GatewayErrorCode>>();

  constructor(deps: RemoteSignInDeps) {
    this.#deps = deps;
  }

  state(id: string): AttemptState {
    return this.#attempts.get(id)?.state ?? { state: 'none' };
  }

  #settle(id: string, state: AttemptState): void {
    this.#attempts.get(id)?.close();
    this.#attempts.set(id, { state, close: () => undefined });
  }

  async #keep(id: string, given: PublicTokens, before?: StoredTokens): Promise<StoredTokens> {
    const { accessToken, refreshToken = before?.refresh_token, lastsFor } = given;
    const kept: StoredTokens = {
      access_token: accessToken,
      name: given.name ?? before?.name ?? 'somebody',
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(lastsFor === undefined ? {} : { ends_at: this.#deps.clock.now() + lastsFor * 1000 }),
    };
    await this.#deps.secrets.keepTokens(id, kept);
    return kept;
  }

  /**
   * Begins an attempt and answers the address for the browser; a listener of this computer waits for
   * its return.
   * @throws a code of the gateway as `cause` where the provider cannot be asked
   */
  async begin(at: SignInAt): Promise<string | { readonly code: GatewayErrorCode }> {
    const { id } = at.connection;
    this.#attempts.get(id)?.close();
    try {
      const client = await clientOf(at);
      const attempt = client.newAttempt();
      const redirect = await this.#listen(id, client, attempt);
      return await client.address(attempt, redirect);
    } catch (error) {
      this.#deps.log.warn({ connection: id, err: error }, 'the provider was not reached');
      return { code: codeOf(error) };
    }
  }

  /** Waits on a port of its own for the browser to come back, once. */
  async #listen(id: string, client: PublicClient, attempt: OidcAttempt): Promise<string> {
    let redirect = '';
    const finish = async (came: URL): Promise<GatewayErrorCode | undefined> => {
      try {
        await this.#keep(id, await client.exchange(came, attempt));
        return undefined;
      } catch (error) {
        this.#deps.log.warn({ connection: id, err: error }, 'the sign-in did not come about');
        return codeOf(error);
      }
    };
    const server = http.createServer((request, response) => {
      const came = new URL(request.url ?? '/', redirect);
      const isMeant =
        request.method === 'GET' &&
        came.pathname === '/callback' &&
        came.searchParams.get('state') === attempt.state;
      if (!isMeant) {
        response.writeHead(404).end();
        return;
      }
      void finish(came).then((code) => {
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          connection: 'close',
        });
        response.end(signedInPage(code));
        this.#settle(id, code === undefined ? { state: 'done' } : { state: 'failed', code });
      });
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    redirect = `http://127.0.0.1:${port}/callback`;
    const timer = setTimeout(
      () => this.#settle(id, { state: 'failed', code: 'sign_in_given_up' }),
      ATTEMPT_MS,
    );
    const close = (): void => {
      clearTimeout(timer);
      server.close();
    };
    this.#attempts.set(id, { state: { state: 'waiting' }, close });
    return redirect;
  }

  /** A token that can be used now, or why there is none. @throws Refusal of the store of secrets */
  async token(at: SignInAt): Promise<string | { readonly code: GatewayErrorCode }> {
    const { id } = at.connection;
    const kept = await this.#deps.secrets.tokens(id);
    if (kept === undefined) return { code: 'remote_sign_in_required' };
    const lasts = kept.ends_at === undefined || kept.ends_at - EARLY_MS > this.#deps.clock.now();
    if (lasts) return kept.access_token;
    const renewed = await this.#renewOnce(at, kept);
    return typeof renewed === 'string' ? { code: renewed } : renewed.access_token;
  }

  /** A server that does not take a token any more is asked with a new one next. */
  async refused(at: SignInAt): Promise<void> {
    const { id } = at.connection;
    const kept = await this.#deps.secrets.tokens(id);
    if (kept === undefined) return;
    const over = kept.refresh_token === undefined ? null : { ...kept, ends_at: 0 };
    await this.#deps.secrets.keepTokens(id, over);
  }

  #renewOnce(at: SignInAt, kept: StoredTokens): Promise<StoredTokens | GatewayErrorCode> {
    const { id } = at.connection;
    const running = this.#renewals.get(id);
    if (running !== undefined) return running;
    const renewal = this.#renew(at, kept).finally(() => this.#renewals.delete(id));
    this.#renewals.set(id, renewal);
    return renewal;
  }

  async #renew(at: SignInAt, kept: StoredTokens): Promise<StoredTokens | GatewayErrorCode> {
    const { id } = at.connection;
    if (kept.refresh_token === undefined) return 'remote_sign_in_required';
    try {
      const client = await clientOf(at);
      return await this.#keep(id, await client.renew(kept.refresh_token), kept);
    } catch (error) {
      const code = codeOf(error);
      this.#deps.log.warn({ connection: id, err: error }, 'the token was not renewed');
      return code === 'sign_in_refused' ? 'remote_sign_in_required' : code;
    }
  }

  /** Forgets who was signed in. @throws Refusal of the store of secrets */
  async end(id: string): Promise<void> {
    this.#settle(id, { state: 'none' });
    this.#attempts.delete(id);
    await this.#deps.secrets.keepTokens(id, null);
  }

  close(): void {
    for (const { close } of this.#attempts.values()) close();
    this.#attempts.clear();
  }
}
