import { useState } from 'react';
import type { UpdateState } from '../../preload/desktop-api.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { createStore } from '../ui/store.ts';
import { toApiError } from './api-error.ts';
import { useAction } from './use-action.ts';

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

/** The way back to the version before. `failure` says why the shell did not go; empty while it may. */
export function useGoBack() {
  const [failure, setFailure] = useState('');
  const { start, busy, error } = useAction(async () =>
    setFailure((await desktopApi()?.goBack()) ?? ''),
  );
  return { start, busy, failure: error === undefined ? failure : toApiError(error).message };
}
