import { environmentStore, setEnvironment } from '../data/chosen-environment.ts';
import { queryClient } from '../data/query-client.ts';
import { currentPath, history, navigateTo, withEnvironment } from './navigation.ts';

/** Shows another environment: the address names it, and nothing of the last one stays on screen. */
export function chooseEnvironment(name: string | null): void {
  if (environmentStore.get() === name) {
    return;
  }
  setEnvironment(name);
  navigateTo(withEnvironment(currentPath()), { replace: true });
  void queryClient.resetQueries();
}

/** Takes over the environment of each address that names one. Returns the function that stops it. */
export function followEnvironment(): () => void {
  return history.subscribe(() => {
    const named = new URLSearchParams(history.location.search).get('env');
    if (named !== null && named !== environmentStore.get()) {
      setEnvironment(named);
      void queryClient.resetQueries();
    }
  });
}
