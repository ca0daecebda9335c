import { type Credential, hostsOf } from '../../../contract/credentials.ts';
import { isObject } from '../../../kernel/json.ts';
import { type HandlerCall, StepFailure } from '../../handler.ts';
import type { HttpRequest } from '../../http-port.ts';
import { credentialLabel, storedCredential } from '../credential.ts';
import { textOf } from '../files/file-reference.ts';
import { queryText, withQuery } from './query-text.ts';
import { accountTokenRequest, type ServiceAccount } from './service-account.ts';

const TOKEN_TIMEOUT_MS = 30_000;

type OAuth2 = Extract<Credential, { kind: 'oauth2_client' | 'oauth2_refresh' }>;
type Plain = Extract<Credential, { kind: 'header' | 'basic' | 'bearer' | 'query' }>;

function basic(user: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${user}:${password}`).toBase64()}`;
}

function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  const lower = name.toLowerCase();
  return {
    ...request,
    headers: { ...request.headers, [lower]: value },
    guarded: [...(request.guarded ?? []), lower],
  };
}

/** The request, for the hosts that a credential is bound for. */
export function boundFor(request: HttpRequest, credential: Plain): HttpRequest {
  const onlyTo = hostsOf(credential);
  return onlyTo.length === 0 ? request : { ...request, onlyTo };
}

/** The request with what a credential adds to it, for the hosts that the credential is bound for. */
export function authorized(request: HttpRequest, credential: Plain): HttpRequest {
  return carrying(boundFor(request, credential), credential);
}

function carrying(request: HttpRequest, credential: Plain): HttpRequest {
  switch (credential.kind) {
    case 'header':
      return withHeader(request, credential.name, credential.value);
    case 'basic':
      return withHeader(request, 'authorization', basic(credential.user, credential.password));
    case 'bearer':
      return withHeader(request, 'authorization', `Bearer ${credential.token}`);
    case 'query': {
      const query = queryText({ [credential.name]: credential.value }, 'indices');
      return { ...request, url: withQuery(request.url, query) };
    }
  }
}

/** The request that asks a token server for a token. */
export function tokenRequest(credential: OAuth2): HttpRequest {
  const { client_id, client_secret, scope, sent_in } = credential;
  const form = {
    ...(credential.kind === 'oauth2_client'
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: credential.refresh_token }),
    ...(scope === '' ? {} : { scope }),
    ...(sent_in === 'header' ? {} : { client_id, client_secret }),
  };
  const who = basic(encodeURIComponent(client_id), encodeURIComponent(client_secret));
  return {
    method: 'POST',
    url: credential.token_url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(sent_in === 'header' ? { authorization: who } : {}),
    },
    body: new TextEncoder().encode(queryText(form, 'repeat')),
    maxRedirects: 0,
    timeoutMs: TOKEN_TIMEOUT_MS,
  };
}

function answered(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Asks for a token. @throws StepFailure, or HttpFailure when no answer came */
async function tokenOf(
  call: HandlerCall,
  credential: OAuth2 | ServiceAccount,
  label: string,
): Promise<string> {
  const request =
    credential.kind === 'service_account'
      ? accountTokenRequest(call, credential)
      : tokenRequest(credential);
  const { status, body } = await call.http(request);
  const { access_token, error } = answered(textOf(body));
  if (status === 200 && typeof access_token === 'string' && access_token !== '')
    return access_token;
  const code = typeof error === 'string' && /^\w{1,40}$/.test(error) ? ` (${error})` : '';
  throw new StepFailure(
    `${label}: its token server answered with status ${status}${code} and gave no token. Check the address, the client and its secret where the credential is bound.`,
  );
}

/** The credential of a step, ready to be added to its requests: a token is asked for once. */
export async function boundCredential(call: HandlerCall, type: string): Promise<Plain> {
  const found = await storedCredential(call, type);
  const label = credentialLabel(call, type);
  if (found.kind === 'smtp' || found.kind === 'database')
    throw new StepFailure(`${label} is bound to a ${found.kind} server; no request can carry it.`);
  const { kind } = found;
  if (kind === 'header' || kind === 'query' || kind === 'basic' || kind === 'bearer') return found;
  return {
    kind: 'bearer',
    token: await tokenOf(call, found, label),
    server: found.server,
    hosts: found.hosts,
  };
}
