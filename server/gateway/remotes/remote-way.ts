import { createHash, X509Certificate } from 'node:crypto';
import http, { type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';
import tls, { type PeerCertificate } from 'node:tls';
import type { StoredConnection } from '../../contract/gateway/connections.ts';
import { requestTo } from '../request-to.ts';
import { IDENTITY_CHANGED } from './remote-failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the way to a remote is made of. */
export interface WayParts {
  readonly settings: Pick<StoredConnection, 'authorities' | 'client_certificate' | 'proxy'>;
  readonly clientKey: string | undefined;
  readonly proxyPassword: string | undefined;
  /** Where `system` finds its proxies. */
  readonly env: Env;
  /** The key that the server of an origin had; undefined at the first time. */
  knownKey(origin: string): string | undefined;
  /** Told whenever a server whose certificate is vouched for shows its key. */
  met(origin: string, keySha256: string): void;
}

/** How requests go to the servers of one connection. */
export interface Way {
  request(url: URL, options: RequestOptions): ClientRequest;
  close(): void;
}

const SYSTEM_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;
/** What is on this computer is not asked for by way of another. */
const NEVER_PROXIED = 'localhost,127.0.0.1,::1';

function systemProxies(env: Env): Record<string, string> {
  const found = SYSTEM_NAMES.flatMap((name) => {
    const value = env[name.toLowerCase()] ?? env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const given: Record<string, string> = Object.fromEntries(found);
  const direct = given['NO_PROXY'];
  return {
    ...given,
    NO_PROXY: direct === undefined ? NEVER_PROXIED : `${direct},${NEVER_PROXIED}`,
  };
}

function manualProxy(url: string, user: string | null, password: string | undefined) {
  const address = new URL(url);
  address.username = user ?? '';
  address.password = password ?? '';
  return { HTTP_PROXY: address.href, HTTPS_PROXY: address.href };
}

function proxiesOf({ settings, proxyPassword, env }: WayParts): Record<string, string> | undefined {
  const { proxy } = settings;
  if (proxy.kind === 'none') return undefined;
  return proxy.kind === 'system'
    ? systemProxies(env)
    : manualProxy(proxy.url, proxy.user, proxyPassword);
}

let trusted: readonly string[] | undefined;

/** Who vouches for servers anyway: the authorities that Node and this system bring along. */
function usualAuthorities(): readonly string[] {
  trusted ??= [
    ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
  ];
  return trusted;
}

/** The SHA-256 of the public key in a certificate. */
function keyOf({ raw }: PeerCertificate): string {
  const { publicKey } = new X509Certificate(raw);
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function changed(origin: string): Error {
  return Object.assign(new Error(`the server at ${origin} has another key`), {
    code: IDENTITY_CHANGED,
  });
}

/**
 * Opens the way of a connection. A handshake ends before a byte of the request is sent, unless the
 * certificate is vouched for, names the host, and holds the key that this server had before.
 */
export function openWay(parts: WayParts): Way {
  const { settings, clientKey } = parts;
  const proxies = proxiesOf(parts);
  const common = { keepAlive: true, ...(proxies === undefined ? {} : { proxyEnv: proxies }) };
  const plain = new http.Agent(common);
  // Made at the first handshake and used for all: reading the authorities takes 11 ms each time.
  let context: tls.SecureContext | undefined;
  const secureContext = (): tls.SecureContext => {
    context ??= tls.createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...usualAuthorities(), ...(settings.authorities === null ? [] : [settings.authorities])],
      ...(settings.client_certificate === null || clientKey === undefined
        ? {}
        : { cert: settings.client_certificate, key: clientKey }),
    });
    return context;
  };
  const secured = new Map<string, https.Agent>();
  const agentFor = (origin: string): https.Agent => {
    const found = secured.get(origin);
    if (found !== undefined) return found;
    const agent = new https.Agent({
      ...common,
      secureContext: secureContext(),
      // A resumed session would not show the server's certificate.
      maxCachedSessions: 0,
      checkServerIdentity: (host, certificate) => {
        const wrong = tls.checkServerIdentity(host, certificate);
        if (wrong !== undefined) return wrong;
        const key = keyOf(certificate);
        parts.met(origin, key);
        const known = parts.knownKey(origin);
        return known === undefined || known === key ? undefined : changed(origin);
      },
    });
    secured.set(origin, agent);
    return agent;
  };
  return {
    request(url, options) {
      return requestTo(url, url.protocol === 'https:' ? agentFor(url.origin) : plain, options);
    },
    close() {
      plain.destroy();
      for (const agent of secured.values()) agent.destroy();
    },
  };
}
