import type { IncomingMessage } from 'node:http';
import { type Door, findForeign } from '../http/door-guard.ts';
import { sameSecret } from '../http/same-secret.ts';
import { bearerOf } from '../identity/request-bearer.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';

/** The facts of a request that decide whether it is let in. */
export type Knock = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;

/** Who may talk to the gateway. */
export interface AdmissionRules {
  /** The names and origins that the listener goes by. */
  readonly door: Door;
  /** The window of the shell: its origin and the token of this launch. */
  readonly window: { readonly origin: string; readonly token: string } | undefined;
  isSession(value: string): boolean;
}

export type Admission =
  /** Let in; `origin` is the window's, to be named in the answer. */
  | { readonly kind: 'admitted'; readonly origin: string | undefined }
  | { readonly kind: 'preflight'; readonly origin: string }
  | {
      readonly kind: 'refused';
      readonly code: GatewayErrorCode;
      readonly origin: string | undefined;
    };

function admitWindow(
  { method, headers }: Knock,
  window: { origin: string; token: string },
): Admission {
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
    return { kind: 'preflight', origin: window.origin };
  }
  const token = bearerOf(headers);
  return token !== undefined && sameSecret(token, window.token)
    ? { kind: 'admitted', origin: window.origin }
    : { kind: 'refused', code: 'gateway_unauthorized', origin: window.origin };
}

function admitBrowser(session: string | undefined, rules: AdmissionRules): Admission {
  if (session !== undefined && rules.isSession(session)) {
    return { kind: 'admitted', origin: undefined };
  }
  const code = session === undefined ? 'gateway_unauthorized' : 'gateway_session_expired';
  return { kind: 'refused', code, origin: undefined };
}

/**
 * Decides who may use the gateway (decisions 23, 31, 45): the shell's window by its origin and token,
 * a browser on the gateway's own origin by its session cookie, nobody else.
 */
export function admit(knock: Knock, session: string | undefined, rules: AdmissionRules): Admission {
  const foreign = findForeign(knock, rules.door);
  const { window } = rules;
  if (foreign !== 'host' && window !== undefined && knock.headers.origin === window.origin) {
    return admitWindow(knock, window);
  }
  if (foreign !== undefined) {
    return { kind: 'refused', code: 'gateway_origin_refused', origin: undefined };
  }
  return admitBrowser(session, rules);
}
