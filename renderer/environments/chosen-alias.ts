import type { BindingView } from '../../server/contract/studio/environments.ts';
import { useBindings } from '../data/studio.ts';
import { localStore } from '../desktop/local-store.ts';
import { createStore, useStore } from '../ui/store.ts';

const keyOf = (projectId: string): string => `alias:${projectId}`;

/** Counts choices, so that every part that shows one is drawn again. */
const choicesStore = createStore(0);

/** Remembers which alias of a project this window uses. */
export function chooseAlias(projectId: string, alias: string): void {
  localStore.set(keyOf(projectId), alias);
  choicesStore.set((count) => count + 1);
}

/** The alias that was chosen for a project, while it is bound; else the first. */
export function chosenOf(
  projectId: string,
  bindings: readonly BindingView[],
): BindingView | undefined {
  const chosen = localStore.get(keyOf(projectId));
  return bindings.find(({ alias }) => alias === chosen) ?? bindings[0];
}

/** The binding that this window uses for a project; undefined while it is read, and without one. */
export function useChosenBinding(projectId: string | undefined): BindingView | undefined {
  useStore(choicesStore);
  const bindings = useBindings(projectId).data;
  return projectId === undefined ? undefined : chosenOf(projectId, bindings ?? []);
}
