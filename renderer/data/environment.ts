import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import { getMe } from '../../server/contract/dashboard/session.ts';
import { type ConnectionColor, listConnections } from '../../server/contract/dashboard/settings.ts';
import { useStore } from '../ui/store.ts';
import { environmentStore } from './chosen-environment.ts';
import type { Hindrance } from './operator.ts';
import { routeQuery } from './query-client.ts';
import { isUsable, useStandings } from './sign-in.ts';

/** An environment that can be chosen. */
export interface EnvironmentChoice {
  readonly name: string;
  /** Its name for people; empty where it has none. */
  readonly label: string;
  readonly production: boolean;
  /** What windows that show it wear; red where it is production. */
  readonly color: ConnectionColor | 'red' | null;
}

/** An environment in words. */
export function environmentTitle({ name, label }: EnvironmentChoice): string {
  return label === '' || label === name ? name : `${label} (${name})`;
}

/** The environments of this operator, and the chosen one. */
export interface Environments {
  readonly choices: readonly EnvironmentChoice[];
  readonly chosen: EnvironmentChoice | null;
  /** The role is limited to the choices: one of them has to be chosen. */
  readonly limited: boolean;
}

/** The environments that the operator of this window may use; undefined while they are not known. */
export function useEnvironments(): Environments | undefined {
  const name = useStore(environmentStore);
  const enabled = isUsable(useStandings().dashboard);
  const me = useQuery({ ...routeQuery(getMe), staleTime: 60_000, enabled }).data;
  const stored = useQuery({ ...routeQuery(listConnections), staleTime: 60_000, enabled }).data;
  if (me === undefined || stored === undefined) {
    return undefined;
  }
  const known = new Map(
    stored.map(({ env, label, production, color }) => [
      env,
      { name: env, label, production, color: production ? ('red' as const) : color },
    ]),
  );
  const choiceOf = (env: string): EnvironmentChoice =>
    known.get(env) ?? { name: env, label: '', production: false, color: null };
  const names = me.environments ?? [...known.keys()];
  const limited = me.environments !== null;
  const chosen = name === null || (limited && !names.includes(name)) ? null : choiceOf(name);
  return { choices: names.map(choiceOf), chosen, limited };
}

/** True for an environment that is granted to an operator (null: the default platform). */
export function isGranted(
  { environments }: { readonly environments: readonly string[] | null },
  name: string | null,
): boolean {
  return environments === null || environments.includes(name ?? '');
}

/**
 * Why the operator of this window may not use an environment (null: the default platform);
 * undefined for one that may be used, and while nothing is known of the grants.
 */
export function useGrants(): (name: string | null) => Hindrance {
  const enabled = isUsable(useStandings().dashboard);
  const me = useQuery({ ...routeQuery(getMe), staleTime: 60_000, enabled }).data;
  return (name) => {
    if (me === undefined || isGranted(me, name)) {
      return undefined;
    }
    const what = name === null ? t('the default platform') : t('the environment {name}', { name });
    return t('Your role ({role}) is not granted {what}.', { role: me.role, what });
  };
}

/** True while the dashboard would answer this window: requests name an environment that is granted. */
export function useMayAsk(): boolean {
  const { dashboard } = useStandings();
  const name = useStore(environmentStore);
  const hindranceOf = useGrants();
  return isUsable(dashboard) && hindranceOf(name) === undefined;
}
