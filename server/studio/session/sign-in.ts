import type { IncomingMessage } from 'node:http';
import { refuse } from '../../contract/studio/errors.ts';
import type { AccessTokens } from '../../identity/access-tokens.ts';
import { AttemptWindow } from '../../identity/attempt-window.ts';
import { type Origin, originOf, trustedPeers } from '../../identity/forwarding.ts';
import { isGateway } from '../../identity/gateway-key.ts';
import type { OidcClient } from '../../identity/oidc-client.ts';
import { type OidcProvider, oidcProviderFile } from '../../identity/oidc-provider-file.ts';
import { readPrivateJson } from '../../identity/private-json.ts';
import { openUsers, type Users } from '../../identity/users-file.ts';
import { WorkGate } from '../../identity/work-gate.ts';
import type { Clock } from '../../kernel/clock.ts';
import { StartRefusal } from '../../kernel/start-refusal.ts';
import type { StudioConfig } from '../config.ts';

/** The issuer of people with a password (studio.md 4.2). */
export const STATIC_ISSUER = 'studio:static';
/** Where the identity provider sends people back to. */
export const CALLBACK = '/api/session/oidc/callback';

const PATIENCE_MS = 5_000;

/** How people sign in, opened once at the start. */
export type SignIn = {
  /** Where a request comes from, as far as it can be believed. */
  originOf(request: IncomingMessage): Origin;
  /** Checks of passwords and tokens that may run at once. */
  readonly gate: WorkGate;
} & (
  | { readonly mode: 'none' }
  | { readonly mode: 'static'; readonly users: Users; readonly failures: AttemptWindow }
  | {
      readonly mode: 'oidc';
      readonly provider: OidcProvider;
      readonly client: OidcClient;
      /** Of windows and programs of people; undefined where none are taken. */
      readonly tokens: AccessTokens | undefined;
      readonly starts: AttemptWindow;
    }
);

function named(file: string | undefined, setting: string, mode: string): string {
  if (file !== undefined) return file;
  throw new StartRefusal(`STUDIO_AUTH_MODE=${mode} needs ${setting}.`);
}

/**
 * Opens what the mode needs. Who asks with `gatewayKey` is believed about whom it asks for.
 * @throws StartRefusal for a file that cannot be used, or a proxy that is no address
 */
export async function openSignIn(
  config: StudioConfig,
  clock: Clock,
  gatewayKey: string | undefined,
): Promise<SignIn> {
  const proxies = trustedPeers(config.trustedProxies, 'STUDIO_TRUSTED_PROXIES');
  const common = {
    originOf: (request: IncomingMessage) =>
      originOf(request, proxies, isGateway(request.headers, gatewayKey)),
    gate: new WorkGate(config.loginVerifyConcurrency, PATIENCE_MS),
  };
  switch (config.authMode) {
    case 'none':
      return { ...common, mode: 'none' };
    case 'static':
      return {
        ...common,
        mode: 'static',
        users: openUsers(
          named(config.usersFile, 'STUDIO_USERS_FILE', 'static'),
          'STUDIO_USERS_FILE',
        ),
        failures: new AttemptWindow(config.loginFailureLimit, clock),
      };
    case 'oidc': {
      const setting = 'STUDIO_OIDC_PROVIDER_FILE';
      const file = named(config.oidcProviderFile, setting, 'oidc');
      // The library is read where people sign in so, not by every studio that starts.
      const { OidcClient } = await import('../../identity/oidc-client.ts');
      const { AccessTokens } = await import('../../identity/access-tokens.ts');
      const provider = readPrivateJson(file, setting, oidcProviderFile(CALLBACK));
      const client = new OidcClient(provider);
      const audience = provider.token_audience;
      return {
        ...common,
        mode: 'oidc',
        provider,
        client,
        tokens:
          audience === undefined
            ? undefined
            : new AccessTokens(
                () => client.signer(),
                audience,
                () => clock.now(),
              ),
        starts: new AttemptWindow(config.loginStartLimit, clock),
      };
    }
  }
}

/** What a sign-in route answers in a mode that has none. */
export function loginUnavailable(mode: SignIn['mode']) {
  return refuse('login_unavailable', { details: { auth_mode: mode } });
}
