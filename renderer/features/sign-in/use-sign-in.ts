import { useEffect, useRef } from 'react';
import { isAtStart, navigateTo } from '../../app/navigation.ts';
import { queryClient } from '../../data/query-client.ts';
import {
  followSignIn,
  isUsable,
  type SignInService,
  type Standings,
  tellWindows,
  useStandings,
} from '../../data/sign-in.ts';
import { takeReturn } from './return-place.ts';

const SERVICES: readonly SignInService[] = ['studio', 'dashboard'];

/** Another person sees nothing of what the first one had on screen; the same one goes on. */
function useSamePerson(standings: Standings): void {
  const last = useRef<Partial<Record<SignInService, string>>>({});
  const ended = useRef(new Set<SignInService>());
  useEffect(() => {
    for (const service of SERVICES) {
      const now = standings.ids[service];
      if (standings[service] === 'ended') {
        ended.current.add(service);
      }
      if (now === undefined) {
        continue;
      }
      const before = last.current[service];
      last.current[service] = now;
      if (before !== undefined && before !== now) {
        location.reload();
        return;
      }
      if (ended.current.delete(service)) {
        void queryClient.invalidateQueries();
      }
    }
  }, [standings]);
}

/** After a sign-in at the provider the tab goes back to where it was, and the others look again. */
function useArrival(standings: Standings): void {
  const arrived = useRef(false);
  const isIn = standings.ways.some(({ service }) => isUsable(standings[service]));
  useEffect(() => {
    if (!isIn || arrived.current) {
      return;
    }
    arrived.current = true;
    tellWindows();
    const place = takeReturn();
    if (place !== '/' && isAtStart()) {
      navigateTo(place, { replace: true });
    }
  }, [isIn]);
}

/** How this window stands with the services, kept true while it is open. */
export function useSignIn(): Standings {
  const standings = useStandings();
  useEffect(followSignIn, []);
  useSamePerson(standings);
  useArrival(standings);
  return standings;
}
