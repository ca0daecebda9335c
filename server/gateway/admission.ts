import { createHash, timingSafeEqual } from 'node:crypto';
import type { GatewayErrorCode } from './gateway-errors.ts';

/** The facts of a request that decide whether it is let in. */
export interface Knock {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly session: string | undefined;
  readonly preflight: boolean;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

/** Who may talk to the gateway. */
export interface AdmissionRules {
  /** False when a routable address was asked for: then any Host name may be right. */
  readonly loopbackOnly: boolean;
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

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The name of a Host header without its port. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function admitWindow(knock: Knock, window: { origin: string; token: string }): Admission {
  if (knock.preflight) return { kind: 'preflight', origin: window.origin };
  const token = /^Bearer (.+)$/i.exec(knock.authorization ?? '')?.[1];
  return token !== undefined && sameSecret(token, window.token)
    ? { kind: 'admitted', origin: window.origin }
    : { kind: 'refused', code: 'gateway_unauthorized', origin: window.origin };
}

function isForeign(knock: Knock): boolean {
  if (knock.origin !== undefined) {
    const own = /^https?:\/\//.test(knock.origin) && URL.canParse(knock.origin);
    return !own || new URL(knock.origin).host !== knock.host;
  }
  const elsewhere = knock.fetchSite === 'cross-site' || knock.fetchSite === 'same-site';
  return elsewhere && knock.fetchMode !== 'navigate';
}

/**
 * Decides who may use the gateway (decisions 23, 31): the shell's window by its origin and token,
 * a browser on the gateway's own origin by its session cookie, nobody else.
 */
export function admit(knock: Knock, rules: AdmissionRules): Admission {
  const refused = (code: GatewayErrorCode): Admission => ({
    kind: 'refused',
    code,
    origin: undefined,
  });
  if (knock.host === undefined) return refused('gateway_origin_refused');
  if (rules.loopbackOnly && !LOOPBACK_NAMES.has(hostName(knock.host))) {
    return refused('gateway_origin_refused');
  }
  if (rules.window !== undefined && knock.origin === rules.window.origin) {
    return admitWindow(knock, rules.window);
  }
  if (isForeign(knock)) return refused('gateway_origin_refused');
  return knock.session !== undefined && rules.isSession(knock.session)
    ? { kind: 'admitted', origin: undefined }
    : refused('gateway_unauthorized');
}
