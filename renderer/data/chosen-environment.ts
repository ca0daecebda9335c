import { createStore } from '../ui/store.ts';

const KEY = 'sw:environment';

/** A tab is a window of its own; the program has one, which is opened again. None outside of both. */
function memory(): Storage | undefined {
  const { location, localStorage, sessionStorage } = globalThis.window ?? {};
  return location?.protocol === 'app:' ? localStorage : sessionStorage;
}

function remembered(): string | null {
  const search = globalThis.window?.location.search;
  return new URLSearchParams(search).get('env') ?? memory()?.getItem(KEY) ?? null;
}

/** The environment whose platform this window shows; null = the default one. */
export const environmentStore = createStore<string | null>(remembered());

/** Every later request of the dashboard is for this environment; the window remembers it. */
export function setEnvironment(name: string | null): void {
  environmentStore.set(name);
  if (name === null) {
    memory()?.removeItem(KEY);
  } else {
    memory()?.setItem(KEY, name);
  }
}
