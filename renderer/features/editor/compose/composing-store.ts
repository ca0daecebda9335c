import type { Composing } from './compose-model.ts';

/** What is composed and not frozen yet, by page; kept while somebody looks at a layer. */
const kept = new Map<string, Composing>();

/** Names a page: an artifact that it began with, or a base. */
export function composingKey(projectId: string, base?: string, from?: string): string {
  return JSON.stringify([projectId, from ?? null, from === undefined ? (base ?? null) : null]);
}

/** What was composed on a page before; undefined for a new one. */
export function keptComposing(key: string): Composing | undefined {
  return kept.get(key);
}

/** Keeps what is composed; null forgets it. */
export function keepComposing(key: string, composing: Composing | null): void {
  if (composing === null) kept.delete(key);
  else kept.set(key, composing);
}
