import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect } from 'react';
import { getPreferences } from '../../server/contract/dashboard/settings.ts';
import { connectionStore } from '../data/chosen-connection.ts';
import {
  followPreferences,
  type Preferences,
  preferencesStore,
  setChooser,
  takePreferences,
} from '../data/preferences.ts';
import { routeQuery } from '../data/query-client.ts';
import { isUsable, type Standings, useStandings } from '../data/sign-in.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { isSpoken } from '../desktop/spoken-language.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { useStore } from '../ui/store.ts';
import { useContrast } from '../ui/use-contrast.ts';

/** In a browser every tab begins again in a language that was chosen in another; the shell does so itself. */
function speakAsToldElsewhere(change: Preferences): void {
  const isAsked = Object.hasOwn(change, 'language') && !isSpoken(change.language);
  if (isAsked && desktopApi() === undefined) {
    window.location.reload();
  }
}

/** Whose choices the dashboard of this window keeps; null = nobody's, undefined = not known yet. */
function chooserOf(
  { dashboard, ids }: Standings,
  connection: string | null,
): string | null | undefined {
  if (dashboard === 'unknown') {
    return undefined;
  }
  const who = dashboard === 'open' ? '' : dashboard === 'in' ? ids.dashboard : null;
  return typeof who === 'string' ? `${connection ?? ''} ${who}` : who;
}

/** Reads once what the person prefers, and lets the window look like it. */
export function usePreferences(): void {
  const standings = useStandings();
  const { dashboard } = standings;
  const connection = useStore(connectionStore);
  const who = chooserOf(standings, connection);
  useEffect(() => setChooser(who), [who]);
  const { data } = useQuery({
    ...routeQuery(getPreferences),
    enabled: isUsable(dashboard),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept is taken anew for another person
  useEffect(() => {
    if (data !== undefined && windowFacts()?.safe !== true) {
      takePreferences(data.preferences);
    }
  }, [data, who]);
  useEffect(() => followPreferences(speakAsToldElsewhere), []);
  const { theme, density = 'comfortable' } = useStore(preferencesStore);
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (theme !== undefined) {
      setColorScheme(theme);
    }
  }, [theme, setColorScheme]);
  const contrast = useContrast();
  useLayoutEffect(() => {
    document.documentElement.dataset['contrast'] = contrast;
  }, [contrast]);
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
}
