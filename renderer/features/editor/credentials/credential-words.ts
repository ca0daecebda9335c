import { t } from '../../../../preload/texts/t.ts';
import type { CredentialField, CredentialKind } from '../../../../server/contract/credentials.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';

export const KIND_WORDS: Readonly<Record<CredentialKind, string>> = {
  header: t('Header'),
  query: t('Parameter of the address'),
  basic: t('User and password'),
  bearer: t('Bearer token'),
  oauth2_client: t('OAuth2, client credentials'),
  oauth2_refresh: t('OAuth2, refresh token'),
  service_account: t('Service account of Google'),
  smtp: t('Mail server (SMTP)'),
  database: t('Database server'),
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  name: t('Name'),
  value: t('Value'),
  user: t('User'),
  password: t('Password'),
  token: 'Token',
  token_url: t('Address of the token server'),
  client_id: t('Client'),
  client_secret: t('Secret of the client'),
  refresh_token: t('Refresh token'),
  scope: t('Scope'),
  host: t('Host'),
  port: t('Port'),
  secure: t('Encrypted by'),
  database: t('Database'),
  ssl: 'TLS',
  email: t('Address of the account'),
  private_key: t('Private key'),
  subject: t('Acts for (empty: for itself)'),
  sent_in: t('The client is named in the'),
  server: t('Server (where each customer has an own one; empty: the usual one)'),
  hosts: t('Only to these hosts (commas between them; empty: to any)'),
};

export function labelOf({ name }: CredentialField): string {
  return FIELD_WORDS[name] ?? name;
}

const WRONG_WORDS: Readonly<Record<string, string>> = {
  hosts: t('Names of hosts, such as api.example.com'),
  port: t('A number, such as 465'),
};

/** Why a text cannot stand in a field. */
export function wrongWords({ name }: CredentialField): string {
  return WRONG_WORDS[name] ?? t('This is not the address of a server');
}

/** What a needed credential is called: its name in the source and its type. */
export function titleOfNeed({ name, type }: CredentialNeed): string {
  return name === '' ? type : `${name} (${type})`;
}
