import { type ConnectionView, listConnections } from '../../server/contract/gateway/connections.ts';
import { connectionStore, setConnection } from '../data/chosen-connection.ts';
import { setEnvironment } from '../data/chosen-environment.ts';
import { queryClient, routeKey } from '../data/query-client.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { draftRunsStore } from '../features/editor/run/draft-run-store.ts';
import { currentPath, navigateTo } from './navigation.ts';
import { paths, placeOf } from './paths.ts';

function found(id: string | null): ConnectionView | undefined {
  const known = queryClient.getQueryData<{ readonly connections: readonly ConnectionView[] }>(
    routeKey(listConnections),
  );
  return known?.connections.find((one) => one.id === id);
}

/** Where a window lands whose page belongs to what it leaves. */
function landing(next: ConnectionView | undefined, id: string | null): string {
  const hasRuns = id === null || (next !== undefined && next.dashboard !== null);
  return hasRuns ? paths.runs() : paths.welcome();
}

/** Puts this window on the connection that the shell kept for it; a browser's page keeps its own. */
export function returnToConnection(): void {
  const facts = windowFacts();
  if (facts !== null) {
    setConnection(facts.connection);
  }
}

/**
 * Puts this window on another connection. What is shown of the drafts stays where both keep them on
 * this computer; everything else is asked for anew.
 */
export function chooseConnection(id: string | null): void {
  const before = connectionStore.get();
  if (before === id) {
    return;
  }
  const next = found(id);
  const draftsMove = [found(before), next].some((one) => one?.drafts === 'there');
  setConnection(id);
  void desktopApi()?.setConnection(id);
  setEnvironment(null);
  // A run that a draft shows is of the connection that is left.
  draftRunsStore.set(new Map());
  const place = placeOf(currentPath());
  if (place === 'author' && draftsMove) {
    navigateTo(paths.welcome());
  } else if (place !== 'author' && place !== 'settings') {
    navigateTo(landing(next, id));
  }
  void queryClient.resetQueries({
    predicate: ({ queryKey: [service, route] }) =>
      service === 'dashboard' ||
      service === 'platform' ||
      (service === 'studio' && draftsMove) ||
      (service === 'gateway' && route !== listConnections.id),
  });
}
