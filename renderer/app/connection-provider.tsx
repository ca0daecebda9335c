import { type ReactNode, useEffect } from 'react';
import { t } from '../../preload/texts/t.ts';
import { setEndpoint } from '../data/endpoint.ts';
import { ownKey } from '../data/own-key.ts';
import { queryClient } from '../data/query-client.ts';
import { followUpdates } from '../data/updates.ts';
import { desktopApi, type ServicesState } from '../desktop/bridge.ts';
import { createStore } from '../ui/store.ts';
import { writeOutput } from '../workbench/output-store.ts';

/** What the shell says about the services; null in a browser, where the page's origin serves them. */
export const servicesStore = createStore<ServicesState | null>(null);

function follow(state: ServicesState): void {
  const before = servicesStore.get();
  servicesStore.set(state);
  const { url, token } = state.gateway;
  setEndpoint(state.phase === 'ready' ? { baseUrl: url, token } : null);
  if (before !== null && before.phase !== state.phase) {
    const problem = state.problem === null ? '' : `: ${state.problem}`;
    writeOutput({
      level: state.phase === 'crashed' ? 'error' : 'info',
      message: t('Services {phase}{problem}', { phase: state.phase, problem }),
    });
    if (state.phase === 'ready') {
      void queryClient.invalidateQueries();
    }
  }
}

/** Points the data layer at the gateway of the shell, or at the origin that served the page. */
export function ConnectionProvider(props: { readonly children: ReactNode }) {
  useEffect(() => {
    const api = desktopApi();
    if (api === undefined) {
      setEndpoint({ baseUrl: '', token: ownKey() });
      return undefined;
    }
    const stop = api.onServicesState(follow);
    // What is shown is as old as the sleep was.
    const stopWaking = api.onWoke(() => void queryClient.invalidateQueries());
    void api.services().then(follow);
    return () => {
      stop();
      stopWaking();
    };
  }, []);
  useEffect(followUpdates, []);
  return props.children;
}
