import { createHash, X509Certificate } from 'node:crypto';
import http, { type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';
import tls, { type PeerCertificate } from 'node:tls';
import type { StoredConnection } from '../../contract/gateway/connections.ts';
import { requestTo } from '../request-to.ts';
import { IDENTITY_CHANGED } from './remote-failure.ts';
import {
  type AskSystemProxy,
  environmentProxies,
  type ProxyEnv,
  proxiesTo,
  readSystemWays,
} from './system-proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How long the system's answer about a proxy counts: networks change under a running program. */
const PROXY_COUNTS_MS = 15_000;

/** What the way to a remote is made of. */
export interface WayParts {
  readonly settings: Pick<StoredConnection, 'authorities' | 'client_certificate' | 'proxy'>;
  readonly clientKey: string | undefined;
  readonly proxyPassword: string | undefined;
  /** Where `system` finds its proxies when there is no desktop to ask. */
  readonly env: Env;
  readonly askSystem: AskSystemProxy | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** The key that the server of an origin had; undefined at the first time. */
  knownKey(origin: string): string | undefined;
  /** Told whenever a server whose certificate is vouched for shows its key. */
  met(origin: string, keySha256: string): void;
}

/** How requests go to the servers of one connection. */
export interface Way {
  /**
   * Learns by which proxy an address is reached now. Awaited before its requests.
   * @throws an error with a code where the system has no way that can be gone
   */
  prepare(url: URL): Promise<void>;
  request(url: URL, options: RequestOptions): ClientRequest;
  close(): void;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

function manualProxy(url: string, user: string | null, password: string | undefined): ProxyEnv {
  const address = new URL(url);
  address.username = user ?? '';
  address.password = password ?? '';
  return proxiesTo(address.href);
}

/** The proxies of each origin, as they are now. */
class Proxies {
  readonly #parts: WayParts;
  readonly #asked = new Map<
    string,
    { readonly at: number; readonly found: ProxyEnv | undefined }
  >();

  constructor(parts: WayParts) {
    this.#parts = parts;
  }

  of(origin: string): ProxyEnv | undefined {
    const { settings, proxyPassword, env } = this.#parts;
    const { proxy } = settings;
    if (proxy.kind === 'none') return undefined;
    if (proxy.kind === 'manual') return manualProxy(proxy.url, proxy.user, proxyPassword);
    const asked = this.#asked.get(origin);
    return asked === undefined ? environmentProxies(env) : asked.found;
  }

  async look({ origin, hostname }: URL): Promise<void> {
    const { settings, askSystem, now } = this.#parts;
    if (askSystem === undefined || settings.proxy.kind !== 'system') return;
    const known = this.#asked.get(origin);
    if (known !== undefined && now() - known.at < PROXY_COUNTS_MS) return;
    const ways = LOOPBACK.test(hostname) ? 'DIRECT' : await askSystem(`${origin}/`);
    if (ways === undefined) this.#asked.delete(origin);
    else this.#asked.set(origin, { at: now(), found: readSystemWays(ways) });
  }
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
  const proxies = new Proxies(parts);
  const commonFor = (origin: string) => {
    const proxyEnv = proxies.of(origin);
    return { keepAlive: true, ...(proxyEnv === undefined ? {} : { proxyEnv }) };
  };
  // Plain HTTP is for this computer alone, where the system's proxies are not asked.
  const plain = new http.Agent(commonFor(''));
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
    const common = commonFor(origin);
    const key = JSON.stringify([origin, common]);
    const found = secured.get(key);
    if (found !== undefined) return found;
    const agent = new https.Agent({
      ...common,
      secureContext: secureContext(),
      // A resumed session would not show the server's certificate.
      maxCachedSessions: 0,
      checkServerIdentity: (host, certificate) => {
        const wrong = tls.checkServerIdentity(host, certificate);
        if (wrong !== undefined) return wrong;
        const shown = keyOf(certificate);
        parts.met(origin, shown);
        const known = parts.knownKey(origin);
        return known === undefined || known === shown ? undefined : changed(origin);
      },
    });
    secured.set(key, agent);
    return agent;
  };
  return {
    prepare: (url) => proxies.look(url),
    request(url, options) {
      return requestTo(url, url.protocol === 'https:' ? agentFor(url.origin) : plain, options);
    },
    close() {
      plain.destroy();
      for (const agent of secured.values()) agent.destroy();
    },
  };
}
