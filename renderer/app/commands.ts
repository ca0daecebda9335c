import { createStore, type Store } from '../ui/store.ts';

type Handlers = ReadonlyMap<string, () => void>;

/** What handles which command now; the latest registration wins. */
export const handlersStore: Store<Handlers> = createStore<Handlers>(new Map());

/** Handles a command until the answer is called. */
export function registerHandler(id: string, run: () => void): () => void {
  handlersStore.set((handlers) => new Map(handlers).set(id, run));
  return () => {
    handlersStore.set((handlers) => {
      if (handlers.get(id) !== run) {
        return handlers;
      }
      const rest = new Map(handlers);
      rest.delete(id);
      return rest;
    });
  };
}

/** Handles several commands until the answer is called. */
export function registerHandlers(
  entries: readonly { readonly command: string; readonly run: () => void }[],
): () => void {
  const stops = entries.map(({ command, run }) => registerHandler(command, run));
  return () => {
    for (const stop of stops) {
      stop();
    }
  };
}

/** Runs a command; false when nothing handles it now. */
export function runCommand(id: string): boolean {
  const run = handlersStore.get().get(id);
  run?.();
  return run !== undefined;
}
