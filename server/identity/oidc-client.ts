import * as oidc from 'openid-client';
import { z } from 'zod';
import { isLoopbackHost } from '../http/door-guard.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { OidcPerson } from './oidc-person.ts';
import type { OidcProvider } from './oidc-provider-file.ts';
import { newToken } from './secret-token.ts';

const SECONDS = 15;
const LEEWAY_SECONDS = 30;
const SCOPE = 'openid profile email';
/** How a provider may sign. */
export const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) =>
  ['256', '384', '512'].map((size) => kind + size),
);

/** What a sign-in must bring back, kept while the person is at the provider. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const text = z.string().min(1);
const Claims = z.looseObject({
  sub: text,
  name: text.optional().catch(undefined),
  email: text.optional().catch(undefined),
  email_verified: z
    .union([z.literal(true), z.literal(1), z.literal('true')])
    .optional()
    .catch(undefined),
  hd: text.optional().catch(undefined),
  groups: z.array(z.string()).catch([]),
});

/** What is sent is a form or nothing. */
const formFetch: oidc.CustomFetch = (url, { body: sent, signal, ...options }) =>
  boundedFetch(url, {
    ...options,
    body: sent instanceof URLSearchParams ? sent.toString() : null,
    signal: signal ?? null,
  });

/** Makes a configuration as careful as every client of ours: bounded, and no token unchecked. */
function careful(configuration: oidc.Configuration): oidc.Configuration {
  configuration.timeout = SECONDS;
  configuration[oidc.customFetch] = formFetch;
  // Without it the signature of a token that came straight from the provider is not looked at.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

function isPlainLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && isLoopbackHost(hostname);
}

function configurationOf(provider: OidcProvider): oidc.Configuration {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = provider;
  const configuration = careful(
    new oidc.Configuration(
      {
        issuer,
        authorization_endpoint,
        token_endpoint,
        jwks_uri,
        id_token_signing_alg_values_supported: ALGORITHMS,
      },
      provider.client_id,
      { [oidc.clockTolerance]: LEEWAY_SECONDS },
      oidc.ClientSecretPost(provider.client_secret),
    ),
  );
  if ([token_endpoint, jwks_uri, authorization_endpoint].some(isPlainLoopback)) {
    oidc.allowInsecureRequests(configuration);
  }
  return configuration;
}

/** A client as a provider that describes itself knows it. */
export interface DiscoveredClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

async function discover({ issuer, clientId, clientSecret }: DiscoveredClient) {
  const configuration = await oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: LEEWAY_SECONDS },
    oidc.ClientSecretBasic(clientSecret),
    {
      timeout: SECONDS,
      [oidc.customFetch]: formFetch,
      execute: isPlainLoopback(issuer) ? [oidc.allowInsecureRequests] : [],
    },
  );
  return careful(configuration);
}

/** Whose signature a token must have. */
export interface TokenSigner {
  readonly issuer: string;
  /** The address of the keys. */
  readonly keys: string;
}

/** What of a sign-in did not fit. */
export type OidcFault = 'refused' | 'invalid_token' | 'unreachable';

/** Why an exchange failed: the provider refused the code, its token is wrong, or nobody answers. */
export function faultOf(error: unknown): OidcFault {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    return 'refused';
  }
  if (!(error instanceof oidc.ClientError)) return 'unreachable';
  return error.code === 'OAUTH_TIMEOUT' || error.cause instanceof TypeError
    ? 'unreachable'
    : 'invalid_token';
}

/** Authorization code with PKCE (S256), state and nonce, at one provider. */
export class OidcFlow {
  readonly #configure: () => Promise<oidc.Configuration>;
  readonly #redirect: string;
  readonly #scope: string;
  #configuration: oidc.Configuration | undefined;

  private constructor(
    configure: () => Promise<oidc.Configuration>,
    redirect: string,
    scope: string,
  ) {
    this.#configure = configure;
    this.#redirect = redirect;
    this.#scope = scope;
  }

  /** At a provider whose endpoints are known. */
  static at(provider: OidcProvider): OidcFlow {
    const configuration = configurationOf(provider);
    return new OidcFlow(() => Promise.resolve(configuration), provider.redirect_uri, SCOPE);
  }

  /** At one that is asked for its endpoints when they are needed, until it has answered. */
  static discovered(client: DiscoveredClient, redirect: string, scope: string): OidcFlow {
    return new OidcFlow(() => discover(client), redirect, scope);
  }

  async #ready(): Promise<oidc.Configuration> {
    this.#configuration ??= await this.#configure();
    return this.#configuration;
  }

  newAttempt(): OidcAttempt {
    return { state: newToken(), nonce: newToken(), verifier: newToken() };
  }

  /** Who signs tokens here, and where the keys stand. @throws when the provider does not answer */
  async signer(): Promise<TokenSigner> {
    const { issuer, jwks_uri: keys } = (await this.#ready()).serverMetadata();
    if (keys === undefined) throw new TypeError('the provider names no keys');
    const { protocol } = new URL(keys);
    if (protocol !== 'https:' && !isPlainLoopback(keys)) {
      throw new TypeError('the keys of the provider stand at an address that is not safe');
    }
    return { issuer, keys };
  }

  /** Where a person is sent to sign in. */
  async address({ state, nonce, verifier }: OidcAttempt): Promise<string> {
    const url = oidc.buildAuthorizationUrl(await this.#ready(), {
      redirect_uri: this.#redirect,
      response_type: 'code',
      scope: this.#scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Turns what came back into the claims of a checked token. @throws for everything that does not fit */
  async exchange(
    given: { readonly code: string; readonly iss?: string | undefined },
    attempt: OidcAttempt,
  ): Promise<unknown> {
    const back = new URL(this.#redirect);
    back.searchParams.set('code', given.code);
    back.searchParams.set('state', attempt.state);
    if (given.iss !== undefined) back.searchParams.set('iss', given.iss);
    const tokens = await oidc.authorizationCodeGrant(await this.#ready(), back, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    return tokens.claims();
  }
}

function personOf(issuer: string, given: unknown): OidcPerson {
  const { sub, name, email, email_verified, hd, groups } = Claims.parse(given);
  return {
    issuer,
    subject: sub,
    displayName: name ?? email ?? sub,
    email: email !== undefined && email_verified !== undefined ? email : null,
    hostedDomain: hd ?? null,
    groups,
  };
}

/** A relying party of a provider that a file names. */
export class OidcClient {
  readonly #flow: OidcFlow;
  readonly issuer: string;

  constructor(provider: OidcProvider) {
    this.#flow = OidcFlow.at(provider);
    this.issuer = provider.issuer;
  }

  newAttempt(): OidcAttempt {
    return this.#flow.newAttempt();
  }

  address(attempt: OidcAttempt): Promise<string> {
    return this.#flow.address(attempt);
  }

  /** Who signs tokens here, and where the keys stand. */
  signer(): Promise<TokenSigner> {
    return this.#flow.signer();
  }

  /** The person whom a checked token names. @throws when it names nobody */
  personOf(claims: unknown): OidcPerson {
    return personOf(this.issuer, claims);
  }

  /** Turns the code that came back into a person. @throws for everything that does not fit */
  async exchange(code: string, attempt: OidcAttempt): Promise<OidcPerson> {
    return personOf(this.issuer, await this.#flow.exchange({ code }, attempt));
  }
}
