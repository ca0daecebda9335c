import { refuse } from '../refuse.ts';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const EXEMPT = /^(?:\/v1)?\/(?:healthz|livez|readyz|metrics)\/?$/;

function nameOf(host: string): string {
  const withoutPort = host.replace(/:\d*$/, '');
  return withoutPort.toLowerCase();
}

function originOf(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const origin = headers['origin'];
  if (typeof origin === 'string') return origin;
  const referer = headers['referer'];
  return typeof referer === 'string' ? referer : undefined;
}

function hostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.host === '' ? undefined : url.host.toLowerCase();
}

/** Host with its port spelled out only where it is not the scheme's own. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/:80$/, '');
}

/**
 * While authentication is off a web page must not steer the loopback service: a foreign Host name
 * or a foreign Origin (else Referer) is refused (contract/platform.md 1.1).
 * @throws Refusal forbidden.
 */
export function guardLoopback(
  path: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  if (EXEMPT.test(path)) return;
  const host = typeof headers['host'] === 'string' ? headers['host'] : '';
  if (!LOOPBACK_NAMES.has(nameOf(host))) {
    throw refuse('forbidden', { message: 'This address answers to its loopback names only.' });
  }
  const origin = originOf(headers);
  if (origin === undefined) return;
  const from = hostOf(origin);
  if (from === undefined || from !== plainHost(host)) {
    throw refuse('forbidden', { message: 'Requests from other web origins are refused.' });
  }
}

/** True for an address that only this machine reaches. */
export function isLoopbackHost(host: string): boolean {
  const name = host.trim().toLowerCase();
  return (
    name === 'localhost' || name === '::1' || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name)
  );
}
