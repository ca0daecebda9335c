import type { GatewayStatus } from '../contract/gateway/status.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { Connection, ServiceName, Target } from './connection.ts';
import { SERVICE_NAMES } from './connection.ts';

/** Short, since a window waits for the answer: it wants to know soon which service is silent. */
const PROBE_TIMEOUT = 800;

/** A path of each service that answers without a credential. */
const PROBES: Readonly<Record<ServiceName, string>> = {
  studio: '/api/readyz',
  dashboard: '/api/livez',
  platform: '/livez',
};

/** Where a service says without a credential that it answers. */
function probeOf(name: ServiceName, { baseUrl }: Target): string {
  const url = new URL(baseUrl);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}${PROBES[name]}`;
  return url.href;
}

/** The probes of the services that can end while the gateway goes on. */
export function probesApart({ targets }: Connection): readonly string[] {
  return SERVICE_NAMES.flatMap((name) => {
    const target = targets[name];
    return target?.apart === true ? [probeOf(name, target)] : [];
  });
}

async function isReachable(probe: string): Promise<boolean> {
  try {
    const answer = await fetch(probe, {
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
    const reachable = target !== undefined && (await isReachable(probeOf(name, target)));
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
