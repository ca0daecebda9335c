import type { GatewayStatus } from '../contract/gateway/status.ts';
import { bareAddress } from '../http/bare-address.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { Connection, ServiceName, Target } from './connection.ts';
import { SERVICE_NAMES } from './connection.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';
import { askRemote } from './remotes/remote-ask.ts';
import { failureOf } from './remotes/remote-failure.ts';
import type { Way } from './remotes/remote-way.ts';

/** Short, since a window waits for the answer: it wants to know soon which service is silent. */
const PROBE_TIMEOUT = 800;
/** The way to another computer is longer. */
const REMOTE_TIMEOUT = 5_000;

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

/** Why a service does not answer; undefined when it does. */
type Trouble = GatewayErrorCode | undefined;

async function askOver(way: Way, probe: string): Promise<Trouble> {
  try {
    const { status } = await askRemote(way, new URL(probe), { patienceMs: REMOTE_TIMEOUT });
    if (status >= 300 && status < 400) return 'remote_redirected';
    return status < 500 ? undefined : 'connection_unreachable';
  } catch (error) {
    return failureOf(error);
  }
}

async function askHere(probe: string): Promise<Trouble> {
  try {
    const answer = await fetch(probe, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
      redirect: 'manual',
    });
    await answer.body?.cancel();
    return answer.status < 500 ? undefined : 'connection_unreachable';
  } catch {
    return 'connection_unreachable';
  }
}

/** Asks every service of the connection whether it answers, all at once. */
export async function readGatewayStatus(
  connection: Connection,
  version: string,
  /** The way of a remote connection, with the services that it leads to. */
  remote?: {
    readonly way: Way;
    readonly services: ReadonlySet<ServiceName>;
    readonly lacks: readonly string[];
  },
): Promise<GatewayStatus> {
  const ask = async (name: ServiceName) => {
    const target = connection.targets[name];
    if (target === undefined) return absent;
    const probe = probeOf(name, target);
    const isFar = remote?.services.has(name) === true;
    const trouble = isFar ? await askOver(remote.way, probe) : await askHere(probe);
    return {
      present: true,
      reachable: trouble === undefined,
      address: bareAddress(target.baseUrl),
      problem: trouble ?? null,
      here: !isFar,
    };
  };
  const absent = { present: false, reachable: false, address: null, problem: null, here: true };
  const [studio, dashboard, platform] = await Promise.all(SERVICE_NAMES.map(ask));
  return {
    version,
    connection: { id: connection.id, name: connection.name, kind: connection.kind },
    lacks: [...(remote?.lacks ?? [])],
    services: {
      studio: studio ?? absent,
      dashboard: dashboard ?? absent,
      platform: platform ?? absent,
    },
  };
}
