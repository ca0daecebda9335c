import { useEffect, useRef } from 'react';
import { askSpecWorker } from './spec-client.ts';
import type { EditorHandle } from './spec-editor.tsx';
import type { AnalysisState } from './use-analysis.ts';

/** Goes to the place of a document path in a text, and marks it. */
export function revealPath(
  editor: { readonly current: EditorHandle | null },
  place: { readonly text: string; readonly file: string; readonly path: string },
): void {
  void askSpecWorker('locate', place).then((range) => {
    if (range !== null && range !== undefined) {
      editor.current?.reveal(range);
      editor.current?.highlight(range);
    }
  });
}

/** Goes to the line or the document path that the address names, once for each address. */
export function useReveal(input: {
  readonly editor: { readonly current: EditorHandle | null };
  readonly ready: boolean;
  readonly analysis: AnalysisState;
  readonly draftRef: string;
  readonly text: string | undefined;
  readonly line: number | undefined;
  readonly path: string | undefined;
}): void {
  const { editor, ready, draftRef, line, path, text } = input;
  const done = useRef('');
  useEffect(() => {
    const address = `${line ?? ''} ${path ?? ''}`;
    if (!ready || text === undefined || address === ' ' || done.current === address) {
      return;
    }
    done.current = address;
    if (line !== undefined) {
      editor.current?.reveal({ startLine: line, startColumn: 1, endLine: line, endColumn: 1 });
      return;
    }
    if (path !== undefined) {
      revealPath(editor, { text, file: draftRef, path });
    }
  }, [editor, ready, draftRef, line, path, text]);
}
