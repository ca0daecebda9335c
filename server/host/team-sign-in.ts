import type { DashboardConfig } from '../dashboard/config.ts';
import type { OwnSignIn } from '../gateway/connection.ts';
import { isLoopbackHost } from '../http/door-guard.ts';
import { oidcProviderFile } from '../identity/oidc-provider-file.ts';
import { readPrivateJson } from '../identity/private-json.ts';
import type { StudioConfig } from '../studio/config.ts';
import { CALLBACK } from '../studio/session/sign-in.ts';
import { HostRefusal } from './host-refusal.ts';

/** How people sign in at the services behind the workbench's address. */
export interface TeamSignIn {
  readonly studio: OwnSignIn | undefined;
  readonly dashboard: OwnSignIn | undefined;
}

const DASHBOARD_CALLBACK = '/dashboard/api/callback';

/** The provider sends browsers to the workbench's address, which passes them on by the first word. */
function requireCallback(setting: string, address: string, path: string): void {
  if (new URL(address).pathname === path) return;
  throw new HostRefusal(
    'configuration',
    `${setting} sends people back to a place that the workbench does not have: it must end in ${path}.`,
  );
}

function providerOf(issuer: string): OwnSignIn {
  return { mode: 'oidc', provider: new URL(issuer).hostname };
}

function studioSignIn(config: StudioConfig): OwnSignIn | undefined {
  if (config.authMode === 'none') return undefined;
  if (config.authMode === 'static') return { mode: 'static', provider: null };
  const setting = 'STUDIO_OIDC_PROVIDER_FILE';
  const file = config.oidcProviderFile;
  if (file === undefined) {
    throw new HostRefusal('configuration', `STUDIO_AUTH_MODE=oidc needs ${setting}.`);
  }
  const { issuer, redirect_uri } = readPrivateJson(file, setting, oidcProviderFile(CALLBACK));
  requireCallback(`${setting}: callback_origin`, redirect_uri, `/studio${CALLBACK}`);
  return providerOf(issuer);
}

function dashboardSignIn({ signIn }: DashboardConfig): OwnSignIn | undefined {
  if (signIn === undefined) return undefined;
  requireCallback('DASH_OIDC_REDIRECT_URL', signIn.redirectUrl, DASHBOARD_CALLBACK);
  return providerOf(signIn.issuer);
}

/**
 * How people sign in, by the settings of the services.
 * @throws HostRefusal, or the refusal of a file that cannot be used
 */
export function teamSignInOf(studio: StudioConfig, dashboard: DashboardConfig): TeamSignIn {
  return { studio: studioSignIn(studio), dashboard: dashboardSignIn(dashboard) };
}

/**
 * Refuses a start whose people could not work.
 * @throws HostRefusal
 */
export function refuseUnfitTeam(
  signIn: TeamSignIn,
  {
    isWindow,
    host,
    proxies,
    studio,
  }: {
    readonly isWindow: boolean;
    readonly host: string;
    readonly proxies: readonly string[];
    readonly studio: StudioConfig;
  },
): void {
  const isTeam = signIn.studio !== undefined || signIn.dashboard !== undefined;
  const refuse = (message: string) => new HostRefusal('configuration', message);
  if (!isTeam && proxies.length > 0) {
    throw refuse('SPECWRIGHT_TRUSTED_PROXIES needs sign-in (STUDIO_AUTH_MODE or DASH_AUTH_MODE).');
  }
  if (!isTeam) return;
  if (isWindow) {
    throw refuse(
      'The window is for one person: sign-in (STUDIO_AUTH_MODE, DASH_AUTH_MODE) is for "specwright serve".',
    );
  }
  const isShared = proxies.length > 0 || !isLoopbackHost(host);
  if (signIn.studio !== undefined && isShared && !studio.isCapDeclared) {
    throw refuse(
      'A studio that is reached from elsewhere needs STUDIO_DEPLOYMENT_CAP: how many bytes it may hold.',
    );
  }
}
