import type { Connection, ServiceName } from './connection.ts';
import { SERVICE_NAMES } from './connection.ts';

/** Answer of `GET /gateway/status`. */
export interface GatewayStatus {
  readonly version: string;
  readonly connection: Pick<Connection, 'id' | 'name' | 'kind'>;
  readonly services: Readonly<Record<ServiceName, { present: boolean; reachable: boolean }>>;
}

const PROBE_TIMEOUT = 2_000;

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

/** Asks every service of the connection whether it answers, all at once. */
export async function readGatewayStatus(
  connection: Connection,
  version: string,
): Promise<GatewayStatus> {
  const ask = async (name: ServiceName) => {
    const target = connection.targets[name];
    const reachable = target !== undefined && (await isReachable(name, target.baseUrl));
    return { present: target !== undefined, reachable };
  };
  const [studio, dashboard, platform] = await Promise.all(SERVICE_NAMES.map(ask));
  const absent = { present: false, reachable: false };
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
