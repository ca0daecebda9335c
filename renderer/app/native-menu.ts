import { COMMANDS } from '../../preload/commands.ts';
import { preferencesStore } from '../data/preferences.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { handlersStore } from './commands.ts';
import { recentProjects } from './recent.ts';
import { type ChangedShortcuts, changedShortcuts } from './shortcuts.ts';

/** Views register what they handle one by one: the shell is told once of all. */
const REST_MS = 30;

/** Tells the shell which projects were opened last. */
export function tellRecent(): void {
  const recent = recentProjects().map(({ projectId, projectName }) => ({
    id: projectId,
    name: projectName,
  }));
  void desktopApi()?.setRecent(recent);
}

/** Tells the shell what this window handles, now and whenever it is something else; answers the way out. */
export function followNativeMenu(): () => void {
  const api = desktopApi();
  if (api === undefined) {
    return () => undefined;
  }
  let told = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const handlers = handlersStore.get();
    const ids = COMMANDS.map(({ id }) => id).filter((id) => handlers.has(id));
    if (ids.join() !== told) {
      told = ids.join();
      void api.setCommands(ids);
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, REST_MS);
  };
  let toldKeys: ChangedShortcuts | undefined;
  const tellKeys = (): void => {
    const changed = changedShortcuts();
    if (changed !== toldKeys) {
      toldKeys = changed;
      void api.setShortcuts(changed);
    }
  };
  const stop = handlersStore.subscribe(soon);
  const stopKeys = preferencesStore.subscribe(tellKeys);
  tellKeys();
  soon();
  tellRecent();
  return () => {
    clearTimeout(timer);
    stop();
    stopKeys();
  };
}
