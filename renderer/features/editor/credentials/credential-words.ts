import type { CredentialField, CredentialKind } from '../../../../server/contract/credentials.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';

export const KIND_WORDS: Readonly<Record<CredentialKind, string>> = {
  header: 'Header',
  query: 'Parameter of the address',
  basic: 'User and password',
  bearer: 'Bearer token',
  oauth2_client: 'OAuth2, client credentials',
  oauth2_refresh: 'OAuth2, refresh token',
  service_account: 'Service account of Google',
  smtp: 'Mail server (SMTP)',
  database: 'Database server',
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  name: 'Name',
  value: 'Value',
  user: 'User',
  password: 'Password',
  token: 'Token',
  token_url: 'Address of the token server',
  client_id: 'Client',
  client_secret: 'Secret of the client',
  refresh_token: 'Refresh token',
  scope: 'Scope',
  host: 'Host',
  port: 'Port',
  secure: 'Encrypted by',
  database: 'Database',
  ssl: 'TLS',
  email: 'Address of the account',
  private_key: 'Private key',
  subject: 'Acts for (empty: for itself)',
  sent_in: 'The client is named in the',
  server: 'Server (where each customer has an own one; empty: the usual one)',
  hosts: 'Only to these hosts (commas between them; empty: to any)',
};

export function labelOf({ name }: CredentialField): string {
  return FIELD_WORDS[name] ?? name;
}

const WRONG_WORDS: Readonly<Record<string, string>> = {
  hosts: 'Names of hosts, such as api.example.com',
  port: 'A number, such as 465',
};

/** Why a text cannot stand in a field. */
export function wrongWords({ name }: CredentialField): string {
  return WRONG_WORDS[name] ?? 'This is not the address of a server';
}

/** What a needed credential is called: its name in the source and its type. */
export function titleOfNeed({ name, type }: CredentialNeed): string {
  return name === '' ? type : `${name} (${type})`;
}
