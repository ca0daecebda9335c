import type { ServiceName } from './connection.ts';

/**
 * What the cookies of a service are named after in a browser. Browsers tell neither ports nor paths
 * of one host apart well enough, so the name says both; over https it is bound to this very host.
 */
export function jarOf(service: ServiceName, port: number, isHttps: boolean): string {
  return `${isHttps ? '__Host-' : ''}sw_${port}_${service}_`;
}

/** The cookies of a jar as the service itself named them; undefined when there are none. */
export function cookiesIn(header: string | undefined, jar: string): string | undefined {
  const pairs = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(jar))
    .map((pair) => pair.slice(jar.length));
  return pairs.length === 0 ? undefined : pairs.join('; ');
}

const KEPT = /^(?:max-age=\d+|expires=[\w\s,:+-]+|samesite=(?:lax|strict))$/i;

/** A cookie that a service sets, as the browser keeps it; undefined for one that is malformed. */
export function intoJar(given: string, jar: string, isHttps: boolean): string | undefined {
  const [pair = '', ...rest] = given.split(';').map((part) => part.trim());
  if (!/^[\w-]+=[^\s;]*$/.test(pair)) return undefined;
  const kept = rest.filter((part) => KEPT.test(part));
  return [jar + pair, 'Path=/', 'HttpOnly', ...kept, ...(isHttps ? ['Secure'] : [])].join('; ');
}
