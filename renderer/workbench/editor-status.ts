import { createStore } from '../ui/store.ts';

export type SaveState = 'saved' | 'dirty' | 'saving' | 'conflict' | 'read_only';

export interface Problem {
  /** Stable within one list. */
  readonly id: string;
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly suggestion: string | null;
  readonly path: string | null;
  /** 1-based; null when the finding has no place in the text. */
  readonly line: number | null;
  readonly column: number | null;
  /** Who found it: the editor's own compiler or a stage of the platform. */
  readonly source: 'editor' | 'platform';
}

/** What the status bar and the Problems panel say about the draft in front. */
export interface EditorStatus {
  readonly projectId: string;
  readonly ref: string;
  readonly save: SaveState;
  readonly revision: string;
  /** How far the check of the text is: not begun or broken off, under way, or of the newest text. */
  readonly check: 'none' | 'running' | 'done';
  readonly problems: readonly Problem[];
  readonly cursor: { readonly line: number; readonly column: number } | null;
  /** Reveals a problem in the text. */
  readonly reveal: (problem: Problem) => void;
}

/** The draft in front; null when no editor is open. */
export const editorStatusStore = createStore<EditorStatus | null>(null);
