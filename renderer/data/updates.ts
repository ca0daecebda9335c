import type { UpdateState } from '../../preload/desktop-api.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { createStore } from '../ui/store.ts';

/** How updates of this program stand; null in a browser and until the shell has said it. */
export const updatesStore = createStore<UpdateState | null>(null);

/** Follows the shell; answers the way out. */
export function followUpdates(): () => void {
  const api = desktopApi();
  if (api === undefined) {
    return () => undefined;
  }
  const stop = api.onUpdates(updatesStore.set);
  void api.updates().then((state) => updatesStore.set((before) => before ?? state));
  return stop;
}
