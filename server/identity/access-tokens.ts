import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { boundedFetch } from './bounded-fetch.ts';
import { ALGORITHMS, type TokenSigner } from './oidc-client.ts';

const LEEWAY_SECONDS = 30;
const TIMEOUT_MS = 15_000;
/** A key that is not known is looked for no more often: a made-up one must not make us ask. */
const KEYS_AGAIN_MS = 30_000;

/** What access tokens are called (RFC 9068); many providers call theirs by the general name. */
const OWN_KINDS: readonly unknown[] = ['at+jwt', 'application/at+jwt'];
const GENERAL_KINDS: readonly unknown[] = [undefined, 'JWT'];

/** What of a token did not fit: it is not valid here, or its provider does not answer. */
export type TokenFault = 'invalid_token' | 'unreachable';

/** What a token claims, or why it is not taken. */
export type CheckedToken =
  | { readonly claims: unknown }
  | { readonly fault: TokenFault; readonly cause: unknown };

/**
 * True for what programs present. A token of a sign-in says who was at the provider, not what a
 * program may do; by a general name it is known by what stands in it, or by what Keycloak calls it.
 */
function isAccessToken(kind: unknown, claims: JWTPayload): boolean {
  if (OWN_KINDS.includes(kind)) return true;
  if (!GENERAL_KINDS.includes(kind)) return false;
  const said = claims['typ'];
  return typeof said === 'string'
    ? said === 'Bearer'
    : !('nonce' in claims) && !('at_hash' in claims);
}

const isOffline = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  !(error instanceof errors.JOSEError);

/** Checks the access tokens that programs of people bring from a provider: no session and no cookie. */
export class AccessTokens {
  readonly #signer: () => Promise<TokenSigner>;
  readonly #audience: string;
  readonly #now: () => number;
  #known:
    | { readonly signer: TokenSigner; readonly keys: ReturnType<typeof createRemoteJWKSet> }
    | undefined;

  /** `audience` is the service's name in the tokens; `now` in milliseconds. */
  constructor(signer: () => Promise<TokenSigner>, audience: string, now: () => number) {
    this.#signer = signer;
    this.#audience = audience;
    this.#now = now;
  }

  async #signedBy() {
    if (this.#known === undefined) {
      const signer = await this.#signer();
      const keys = createRemoteJWKSet(new URL(signer.keys), {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: KEYS_AGAIN_MS,
        [customFetch]: boundedFetch,
      });
      this.#known = { signer, keys };
    }
    return this.#known;
  }

  async #checked(token: string): Promise<JWTPayload> {
    const { signer, keys } = await this.#signedBy();
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...{ issuer: signer.issuer, audience: this.#audience, algorithms: ALGORITHMS },
      ...{ clockTolerance: LEEWAY_SECONDS, currentDate: new Date(this.#now()) },
      requiredClaims: ['exp', 'sub'],
    });
    if (isAccessToken(protectedHeader.typ, payload)) return payload;
    throw new errors.JWTInvalid('another kind of token');
  }

  /** What a token claims, once all of it fits. Never rejects. */
  async check(token: string): Promise<CheckedToken> {
    try {
      return { claims: await this.#checked(token) };
    } catch (cause) {
      return { fault: isOffline(cause) ? 'unreachable' : 'invalid_token', cause };
    }
  }
}
