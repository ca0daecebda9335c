import { bufferKey, keepText, takeKeptText } from '../../desktop/kept-drafts.ts';
import { localStore, readJson } from '../../desktop/local-store.ts';
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
  const kept = takeKeptText(projectId, ref);
  // Earlier versions kept it in `localStorage`.
  const earlier = () => readJson(bufferKey(projectId, ref), isKept, null) ?? undefined;
  return isKept(kept) && kept !== null ? kept : earlier();
}

/** Keeps unsaved text across reloads and crashes; forgets it once it is saved. */
export function keepBuffer(
  projectId: string,
  ref: string,
  buffer: DraftBuffer,
  leaving = false,
): void {
  const open = isDirty(buffer) || buffer.theirs !== null;
  const kept: KeptBuffer = { text: buffer.text, base: buffer.base };
  localStore.remove(bufferKey(projectId, ref));
  keepText({ projectId, ref }, open ? kept : null, leaving);
}
