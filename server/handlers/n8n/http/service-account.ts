import type { Credential } from '../../../contract/credentials.ts';
import type { HandlerCall } from '../../handler.ts';
import type { HttpRequest } from '../../http-port.ts';
import { queryText } from './query-text.ts';

export type ServiceAccount = Extract<Credential, { kind: 'service_account' }>;

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const VALID_S = 3600;
const TIMEOUT_MS = 30_000;
const LINE = 64;

function encoded(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

function encodedJson(value: object): string {
  return encoded(new TextEncoder().encode(JSON.stringify(value)));
}

/** A key in PEM, also where its lines were lost on the way through a form or a JSON text. */
function keyInLines(key: string): string {
  const [, head, rest] = key.split('-----');
  const kind = head?.slice(head.indexOf(' ') + 1) ?? 'PRIVATE KEY';
  const body = rest ?? key;
  const plain = body.replaceAll('\\n', '').replaceAll(/\s/g, '');
  const lines = plain.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ''].join('\n');
}

/** The request that asks a token server for a token, signed with the key of the account. */
export function accountTokenRequest(call: HandlerCall, account: ServiceAccount): HttpRequest {
  const { email, private_key, scope, subject, token_url } = account;
  const now = Math.floor(call.step.facts.now / 1000);
  const claims = {
    ...{ iss: email, scope, aud: token_url, iat: now, exp: now + VALID_S },
    ...(subject === '' ? {} : { sub: subject }),
  };
  const said = `${encodedJson({ alg: 'RS256', typ: 'JWT' })}.${encodedJson(claims)}`;
  const bytes = new TextEncoder().encode(said);
  const signature = call.crypto.sign('RSA-SHA256', keyInLines(private_key), bytes);
  const form = { grant_type: GRANT, assertion: `${said}.${encoded(signature)}` };
  return {
    method: 'POST',
    url: token_url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new TextEncoder().encode(queryText(form, 'repeat')),
    maxRedirects: 0,
    timeoutMs: TIMEOUT_MS,
  };
}
