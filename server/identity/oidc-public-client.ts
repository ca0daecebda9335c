import * as oidc from 'openid-client';
import { isLoopbackHost } from '../http/door-guard.ts';
import type { OidcAttempt } from './oidc-client.ts';
import { newToken } from './secret-token.ts';

const SECONDS = 15;
const LEEWAY_SECONDS = 30;

/** A provider as a program without a secret of its own knows it. */
export interface PublicProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** The API that tokens are for. */
  readonly resource: string | null;
}

/** What a sign-in or a renewal brought. */
export interface PublicTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds; undefined when the provider does not say. */
  readonly lastsFor: number | undefined;
  /** Whoever signed in, as the provider names them; undefined after a renewal. */
  readonly name: string | undefined;
}

/** How a provider is reached: its requests may need a proxy or an authority of their own. */
export type ProviderFetch = (url: string, init: ProviderRequest) => Promise<Response>;
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function isPlainLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && isLoopbackHost(hostname);
}

function asCustomFetch(ask: ProviderFetch): oidc.CustomFetch {
  return (url, { method, headers, body }) =>
    ask(url, {
      method,
      headers: { ...headers },
      body: body instanceof URLSearchParams ? body.toString() : undefined,
    });
}

function nameIn(claims: oidc.IDToken | undefined): string | undefined {
  const said = [claims?.['name'], claims?.['email'], claims?.['preferred_username'], claims?.sub];
  return said.find((one): one is string => typeof one === 'string' && one !== '');
}

function tokensOf(
  answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): PublicTokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    lastsFor: answer.expiresIn(),
    name: nameIn(answer.claims()),
  };
}

/** Authorization code with PKCE for a program on a person's computer (RFC 8252): it has no secret. */
export class PublicClient {
  readonly #configuration: oidc.Configuration;
  readonly #provider: PublicProvider;

  private constructor(configuration: oidc.Configuration, provider: PublicProvider) {
    this.#configuration = configuration;
    this.#provider = provider;
  }

  /** Asks a provider for its endpoints. @throws when it does not answer as one */
  static async at(provider: PublicProvider, ask: ProviderFetch): Promise<PublicClient> {
    const customFetch = asCustomFetch(ask);
    const configuration = await oidc.discovery(
      new URL(provider.issuer),
      provider.clientId,
      { [oidc.clockTolerance]: LEEWAY_SECONDS },
      oidc.None(),
      {
        timeout: SECONDS,
        [oidc.customFetch]: customFetch,
        execute: isPlainLoopback(provider.issuer) ? [oidc.allowInsecureRequests] : [],
      },
    );
    configuration.timeout = SECONDS;
    configuration[oidc.customFetch] = customFetch;
    oidc.enableNonRepudiationChecks(configuration);
    return new PublicClient(configuration, provider);
  }

  newAttempt(): OidcAttempt {
    return { state: newToken(), nonce: newToken(), verifier: newToken() };
  }

  #extra(): Record<string, string> {
    const { resource } = this.#provider;
    return resource === null ? {} : { resource };
  }

  /** Where a person is sent to sign in. */
  async address({ state, nonce, verifier }: OidcAttempt, redirect: string): Promise<string> {
    const { scope } = this.#provider;
    const url = oidc.buildAuthorizationUrl(this.#configuration, {
      redirect_uri: redirect,
      response_type: 'code',
      scope,
      // Without it providers give no token that can be renewed (OpenID Connect Core 11).
      ...(scope.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...this.#extra(),
    });
    return url.href;
  }

  /** Turns the address that the browser came back to into tokens. @throws for what does not fit */
  async exchange(came: URL, attempt: OidcAttempt): Promise<PublicTokens> {
    const answer = await oidc.authorizationCodeGrant(
      this.#configuration,
      came,
      {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      },
      this.#extra(),
    );
    return tokensOf(answer);
  }

  /** @throws when the provider does not renew it */
  async renew(refreshToken: string): Promise<PublicTokens> {
    return tokensOf(await oidc.refreshTokenGrant(this.#configuration, refreshToken, this.#extra()));
  }
}
