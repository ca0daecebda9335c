import { localStore } from '../desktop/local-store.ts';

function keyOf(projectId: string, ref: string): string {
  return `last-rehearsal:${projectId}\n${ref}`;
}

/** Notes the latest rehearsal of a draft in this window. */
export function noteRehearsal(projectId: string, ref: string, runId: string): void {
  localStore.set(keyOf(projectId, ref), runId);
}

/** The run that rehearsed a draft last; null when none did here. */
export function lastRehearsal(projectId: string, ref: string): string | null {
  return localStore.get(keyOf(projectId, ref));
}
