import type { GatewayStatus } from '../contract/gateway/status.ts';
import type { Connection, ServiceName } from './connection.ts';
import { SERVICE_NAMES } from './connection.ts';

/** A window that waits for a page wants to know soon what does not answer. */
const PROBE_TIMEOUT = 800;

/** A path of each service that answers without a credential. */
const PROBES: Readonly<Record<ServiceName, string>> = {
  studio: '/api/readyz',
  dashboard: '/api/livez',
  platform: '/livez',
};

async function isReachable(name: ServiceName, baseUrl: string): Promise<boolean> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${PROBES[name]}`;
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
      redirect: 'manual',
    });
    await answer.body?.cancel();
    return answer.status < 500;
  } catch {
    return false;
  }
}

/** Where a service is asked; what may hold a secret is left out. */
function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}

/** Asks every service of the connection whether it answers, all at once. */
export async function readGatewayStatus(
  connection: Connection,
  version: string,
): Promise<GatewayStatus> {
  const ask = async (name: ServiceName) => {
    const target = connection.targets[name];
    const reachable = target !== undefined && (await isReachable(name, target.baseUrl));
    const address = target === undefined ? null : addressOf(target.baseUrl);
    return { present: target !== undefined, reachable, address };
  };
  const [studio, dashboard, platform] = await Promise.all(SERVICE_NAMES.map(ask));
  const absent = { present: false, reachable: false, address: null };
  return {
    version,
    connection: { id: connection.id, name: connection.name, kind: connection.kind },
    services: {
      studio: studio ?? absent,
      dashboard: dashboard ?? absent,
      platform: platform ?? absent,
    },
  };
}
