import { localStore, readJson, writeJson } from '../../desktop/local-store.ts';
import { type DraftBuffer, isDirty, type KeptBuffer } from './draft-buffer.ts';

const keyOf = (projectId: string, ref: string): string => `buffer:${projectId}\n${ref}`;

function isVersion(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'revision' in value &&
    typeof value.revision === 'string'
  );
}

function isKept(value: unknown): value is KeptBuffer | null {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'base' in value &&
    isVersion(value.base)
  );
}

/** Unsaved text that an earlier window left. */
export function findKeptBuffer(projectId: string, ref: string): KeptBuffer | undefined {
  return readJson(keyOf(projectId, ref), isKept, null) ?? undefined;
}

/** Keeps unsaved text across reloads and crashes; forgets it once it is saved. */
export function keepBuffer(projectId: string, ref: string, buffer: DraftBuffer): void {
  const key = keyOf(projectId, ref);
  if (isDirty(buffer) || buffer.theirs !== null) {
    writeJson(key, { text: buffer.text, base: buffer.base } satisfies KeptBuffer);
  } else {
    localStore.remove(key);
  }
}
