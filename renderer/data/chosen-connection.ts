import { createStore } from '../ui/store.ts';
import { isServed } from './served.ts';

const KEY = 'sw:connection';

function remembered(): string | null {
  const found = globalThis.window?.sessionStorage.getItem(KEY) ?? null;
  return found === '' ? null : found;
}

/** The connection of this window; null = this computer. Each window has its own. */
export const connectionStore = createStore<string | null>(remembered());

/** Every later request of this window is for this connection; a reload keeps it. */
export function setConnection(id: string | null): void {
  connectionStore.set(id);
  globalThis.window?.sessionStorage.setItem(KEY, id ?? '');
}

/** The connection to name in a request; undefined where there is none to choose. */
export function namedConnection(): string | undefined {
  return isServed('gateway') ? (connectionStore.get() ?? undefined) : undefined;
}
