import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import { type ConnectionView, listConnections } from '../../server/contract/gateway/connections.ts';
import {
  type GatewayStatus,
  getGatewayStatus,
  PLATFORM_OFFERS,
} from '../../server/contract/gateway/status.ts';
import { useStore } from '../ui/store.ts';
import { connectionStore } from './chosen-connection.ts';
import { queryClient, routePrefix, routeQuery } from './query-client.ts';
import { isServed } from './served.ts';
import { useStandings } from './sign-in.ts';

const FRESH_MS = 30_000;
const NONE: readonly ConnectionView[] = [];

/** The connections of this computer; none for who did not come by its link. */
export function useConnections(): readonly ConnectionView[] {
  const { link } = useStandings();
  const enabled = isServed('gateway') && link;
  const query = useQuery({ ...routeQuery(listConnections), staleTime: FRESH_MS, enabled });
  return query.data?.connections ?? NONE;
}

/** The connection that this window is on; undefined for this computer, or one that is not read yet. */
export function useChosenConnection(): ConnectionView | undefined {
  const id = useStore(connectionStore);
  return useConnections().find((one) => one.id === id);
}

/** True for a service of another computer that does not answer. */
export function isSilent(service: GatewayStatus['services']['platform']): boolean {
  return service.present && !service.here && !service.reachable;
}

/** What of the window's connection answers; undefined until it is known. */
export function useConnectionStatus(): GatewayStatus | undefined {
  const enabled = isServed('gateway');
  return useQuery({ ...routeQuery(getGatewayStatus), retry: false, enabled }).data;
}

/** Why the platform of this window cannot do something; undefined when it can, or nobody knows. */
export function useLack(kind: keyof typeof PLATFORM_OFFERS): string | undefined {
  const status = useConnectionStatus();
  const offer = PLATFORM_OFFERS[kind];
  return status?.lacks.includes(offer) === true
    ? t('The platform of {name} cannot {offer}: it is an older version, or of another make.', {
        name: status.connection.name,
        offer,
      })
    : undefined;
}

/** Reads the connections anew after a change. */
export async function connectionsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: routePrefix(listConnections) });
  await queryClient.invalidateQueries({ queryKey: routePrefix(getGatewayStatus) });
}
