import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import { getMe } from '../../server/contract/dashboard/session.ts';
import { routeQuery } from './query-client.ts';

/** Why an action is not offered; undefined when it is. */
export type Hindrance = string | undefined;

/**
 * Why the operator of this window may not use a capability of the dashboard; undefined when it is
 * allowed or not known yet.
 */
export function useHindrance(capability: string): Hindrance {
  const me = useQuery({ ...routeQuery(getMe), staleTime: 60_000 });
  if (me.data === undefined || me.data.capabilities.includes(capability)) {
    return undefined;
  }
  return t('Your role ({role}) does not include {capability}.', { role: me.data.role, capability });
}
