import { useState } from 'react';

/** What is stored of a setting, and by what its writes are told apart. */
interface Stored<Value, Version> {
  readonly value: Value;
  readonly version: Version;
}

/** A setting while somebody changes it. */
export interface Edited<Value, Version = unknown> {
  readonly draft: Value;
  readonly setDraft: (draft: Value) => void;
  /** What the draft is compared with, and the version that a write of it replaces. */
  readonly base: Stored<Value, Version>;
  readonly isChanged: boolean;
  /** Somebody else stored another one meanwhile; the draft is kept until its owner has chosen. */
  readonly isOvertaken: boolean;
  /** Throws the draft away for what is stored. */
  readonly takeStored: () => void;
  /** Keeps the draft, as a change of what is stored now. */
  readonly keepDraft: () => void;
}

/**
 * Keeps what somebody fills in while the stored setting is read again. Another stored version takes
 * its place only where nothing was changed, or the same.
 */
export function useEdited<Value, Version extends number | string>(
  stored: Stored<Value, Version>,
  isSame: (left: Value, right: Value) => boolean,
): Edited<Value, Version> {
  const [{ base, draft }, set] = useState({ base: stored, draft: stored.value });
  const isNewer = base.version !== stored.version;
  const isIdle = isSame(draft, base.value) || isSame(draft, stored.value);
  if (isNewer && isIdle) {
    set({ base: stored, draft: stored.value });
  }
  return {
    draft,
    setDraft: (next) => set({ base, draft: next }),
    base,
    isChanged: !isSame(draft, base.value),
    isOvertaken: isNewer && !isIdle,
    takeStored: () => set({ base: stored, draft: stored.value }),
    keepDraft: () => set({ base: stored, draft }),
  };
}
