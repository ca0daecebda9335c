/** Asks the system for the ways to an address, as a proxy script answers; undefined = it does not know. */
export type AskSystemProxy = (url: string) => Promise<string | undefined>;

type Env = Readonly<Record<string, string | undefined>>;

/** The proxies of requests, as Node's agents take them; undefined = there is none. */
export type ProxyEnv = Readonly<Record<string, string>>;

/** The code of an address that the system reaches only by a kind of proxy that is not spoken here. */
export const PROXY_KIND_UNKNOWN = 'REMOTE_PROXY_KIND_UNKNOWN';

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;
/** What is on this computer is not asked for by way of another. */
const NEVER_PROXIED = 'localhost,127.0.0.1,::1';
const WAY = /^(PROXY|HTTPS?)\s+(\S+)$/i;

/** The proxies that the variables of the environment name. */
export function environmentProxies(env: Env): ProxyEnv {
  const found = NAMES.flatMap((name) => {
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

/** The proxies of one address, used for all that goes there. */
export function proxiesTo(address: string): ProxyEnv {
  return { HTTP_PROXY: address, HTTPS_PROXY: address };
}

function readWay(way: string): ProxyEnv | 'direct' | undefined {
  if (/^DIRECT$/i.test(way)) return 'direct';
  const [, kind = '', host = ''] = WAY.exec(way) ?? [];
  if (host === '') return undefined;
  const address = `${kind.toUpperCase() === 'HTTPS' ? 'https' : 'http'}://${host}`;
  return URL.canParse(address) ? proxiesTo(address) : undefined;
}

/**
 * The first of the system's ways that can be gone here.
 * @throws an error of code PROXY_KIND_UNKNOWN where all of them are of another kind (SOCKS)
 */
export function readSystemWays(ways: string): ProxyEnv | undefined {
  for (const way of ways.split(';')) {
    const read = readWay(way.trim());
    if (read === 'direct') return undefined;
    if (read !== undefined) return read;
  }
  throw Object.assign(new Error(`the system's proxy is none that is spoken here: ${ways}`), {
    code: PROXY_KIND_UNKNOWN,
  });
}
