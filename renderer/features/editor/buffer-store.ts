import { bufferKey } from '../../desktop/kept-drafts.ts';
import { localStore, readJson } from '../../desktop/local-store.ts';
import { readSafe, writeSafe } from '../../desktop/safe-store.ts';
import { type DraftBuffer, isDirty, type KeptBuffer } from './draft-buffer.ts';

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
  const key = bufferKey(projectId, ref);
  const kept = readSafe(key);
  // Earlier versions kept it in `localStorage`.
  return isKept(kept) && kept !== null ? kept : (readJson(key, isKept, null) ?? undefined);
}

/** Keeps unsaved text across reloads and crashes; forgets it once it is saved. */
export function keepBuffer(
  projectId: string,
  ref: string,
  buffer: DraftBuffer,
  leaving = false,
): void {
  const key = bufferKey(projectId, ref);
  const open = isDirty(buffer) || buffer.theirs !== null;
  const kept: KeptBuffer = { text: buffer.text, base: buffer.base };
  localStore.remove(key);
  writeSafe(key, open ? kept : null, leaving);
}
