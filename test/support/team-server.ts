// `specwright serve` for a team, in this process: real services behind the gateway.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '../../server/identity/password-hash.ts';
import { OIDC_CLIENT } from './identity-provider.ts';

/** A file that only its owner may read. */
export function writePrivate(file: string, value: unknown): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** Users of a team; everybody's password is `right`. */
export async function writeTeamUsers(file: string, names: readonly string[]): Promise<string> {
  const password_hash = await hashPassword('right');
  return writePrivate(
    file,
    names.map((username) => ({
      username,
      password_hash,
      display_name: username.replace(/^./, (first) => first.toUpperCase()),
    })),
  );
}

/** A studio's provider file for a workbench at `origin`. */
export function studioProviderFile(
  issuer: string,
  origin: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    provider_id: 'test',
    client_id: OIDC_CLIENT.id,
    client_secret: OIDC_CLIENT.secret,
    callback_origin: `${origin}/studio`,
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    redirect_allowlist: [`${origin}/studio/api/session/oidc/callback`],
    admission: { mode: 'allowlist', email_domains: ['example.com'] },
    ...more,
  };
}

/** Settings of a dashboard whose operators sign in at the provider, for a workbench at `origin`. */
export function dashboardEnv(issuer: string, origin: string): Record<string, string> {
  return {
    DASH_AUTH_MODE: 'oidc',
    DASH_SESSION_SECRET: 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g',
    DASH_OIDC_ISSUER: issuer,
    DASH_OIDC_CLIENT_ID: OIDC_CLIENT.id,
    DASH_OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    DASH_OIDC_REDIRECT_URL: `${origin}/dashboard/api/callback`,
    DASH_OIDC_ROLE_MAP: '{"desk": "operator", "looker": "viewer"}',
  };
}

/** Folders of the program. */
export const APP_FILES = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  ui: '/nowhere',
  resources: '/nowhere',
  version: '0.0.0',
} as const;
