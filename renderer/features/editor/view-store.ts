import type * as monaco from 'monaco-editor/editor/editor.api';
import { z } from 'zod';
import { readSafe, writeSafe } from '../../desktop/safe-store.ts';

type View = monaco.editor.ICodeEditorViewState;

const KEY = 'editor-views';
const MOST = 100;

/** What the editor itself gave and takes back, as far as it is looked at here. */
const keptView = z.looseObject({
  cursorState: z.array(z.looseObject({})),
  viewState: z.looseObject({}),
  contributionsState: z.record(z.string(), z.unknown()),
});
const keptViews = z.array(z.tuple([z.string(), keptView]));

function all(): z.output<typeof keptViews> {
  return keptViews.safeParse(readSafe(KEY)).data ?? [];
}

/** Where the author was in a draft: cursor, folds and what is in view; undefined for one never opened. */
export function readView(modelUri: string): View | undefined {
  // The shape is the editor's own; a text that changed meanwhile is met by it as far as it goes.
  return all().find(([uri]) => uri === modelUri)?.[1] as View | undefined;
}

/** Keeps where the author was, across reloads; the last hundred drafts are remembered. */
export function keepView(modelUri: string, view: View, leaving = false): void {
  const others = all().filter(([uri]) => uri !== modelUri);
  writeSafe(KEY, [[modelUri, view], ...others].slice(0, MOST), leaving);
}
