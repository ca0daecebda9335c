import { createStore } from '../ui/store.ts';
import { windowMemory } from './window-memory.ts';

const KEY = 'sw:environment';

function remembered(): string | null {
  const search = globalThis.window?.location.search;
  return new URLSearchParams(search).get('env') ?? windowMemory()?.getItem(KEY) ?? null;
}

/** The environment whose platform this window shows; null = the default one. */
export const environmentStore = createStore<string | null>(remembered());

/** Every later request of the dashboard is for this environment; the window remembers it. */
export function setEnvironment(name: string | null): void {
  environmentStore.set(name);
  if (name === null) {
    windowMemory()?.removeItem(KEY);
  } else {
    windowMemory()?.setItem(KEY, name);
  }
}
