import type { SaveState } from '../../workbench/editor-status.ts';

/** The text of a draft at one revision, as the studio holds it. */
export interface DraftVersion {
  readonly text: string;
  readonly revision: string;
}

/**
 * A draft being edited. `base` is the version that `text` grew from; `theirs` is a version that
 * someone else saved since, kept beside until the person decides.
 */
export interface DraftBuffer {
  readonly base: DraftVersion;
  readonly text: string;
  readonly theirs: DraftVersion | null;
  /** The text on its way to the studio; null when no save is running. */
  readonly saving: string | null;
}

/** Unsaved text as it is kept across reloads. */
export interface KeptBuffer {
  readonly text: string;
  readonly base: DraftVersion;
}

/** A buffer of a freshly read draft, taking up text that an earlier window left unsaved. */
export function openBuffer(server: DraftVersion, kept: KeptBuffer | undefined): DraftBuffer {
  if (kept === undefined || kept.text === server.text) {
    return { base: server, text: server.text, theirs: null, saving: null };
  }
  if (kept.base.revision === server.revision) {
    return { base: server, text: kept.text, theirs: null, saving: null };
  }
  return { base: kept.base, text: kept.text, theirs: server, saving: null };
}

/** True when the text differs from the version it grew from. */
export function isDirty(buffer: DraftBuffer): boolean {
  return buffer.text !== buffer.base.text;
}

/** The user typed. */
export function edit(buffer: DraftBuffer, text: string): DraftBuffer {
  return text === buffer.text ? buffer : { ...buffer, text };
}

/** A save of the present text went out. */
export function startSave(buffer: DraftBuffer): DraftBuffer {
  return { ...buffer, saving: buffer.text };
}

/**
 * The save that went out was stored as `revision`; what was typed since it went out stays unsaved.
 */
export function finishSave(buffer: DraftBuffer, revision: string): DraftBuffer {
  const stored = { text: buffer.saving ?? buffer.text, revision };
  return { ...buffer, base: stored, saving: null, theirs: null };
}

/** The save that went out was not stored. */
export function failSave(buffer: DraftBuffer): DraftBuffer {
  return { ...buffer, saving: null };
}

/**
 * The studio now holds `server`. An untouched buffer follows it; an edited one keeps its text and
 * holds the other version beside it, unless both became the same text.
 */
export function observe(buffer: DraftBuffer, server: DraftVersion): DraftBuffer {
  if (buffer.saving !== null || server.revision === buffer.base.revision) {
    return buffer;
  }
  if (buffer.text === server.text || !isDirty(buffer)) {
    return { base: server, text: server.text, theirs: null, saving: null };
  }
  return server.revision === buffer.theirs?.revision ? buffer : { ...buffer, theirs: server };
}

/** The person decided: `text` is based on their version from now on. */
export function resolve(buffer: DraftBuffer, text: string): DraftBuffer {
  const base = buffer.theirs ?? buffer.base;
  return { base, text, theirs: null, saving: null };
}

/** The person gave up the unsaved text. */
export function revert(buffer: DraftBuffer): DraftBuffer {
  return resolve(buffer, (buffer.theirs ?? buffer.base).text);
}

/** What the status bar says. */
export function saveStateOf(buffer: DraftBuffer, readOnly: boolean): SaveState {
  if (buffer.theirs !== null) {
    return 'conflict';
  }
  if (buffer.saving !== null) {
    return 'saving';
  }
  if (isDirty(buffer)) {
    return 'dirty';
  }
  return readOnly ? 'read_only' : 'saved';
}
