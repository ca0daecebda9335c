import { useMemo } from 'react';
import type { EditorHandle } from './spec-editor.tsx';
import type { SpecAnalysis, TextRange } from './spec-protocol.ts';

/** Shows in the text what is drawn. */
export interface DrawnLines {
  /** The lines of a node, with the keyboard. */
  readonly reveal: (id: string) => void;
  /** The lines of a node; the keyboard stays where it is. */
  readonly look: (id: string) => void;
  /** The lines of an edge; the keyboard stays where it is. */
  readonly lookEdge: (id: string) => void;
}

/** Where nodes and edges of the drawing stand in the text; `onPlace` is told which place is looked at. */
export function useDrawnLines(
  editor: { readonly current: EditorHandle | null },
  analysis: Pick<SpecAnalysis, 'nodeRanges' | 'lineRanges'> | null,
  onPlace: (line: number, column: number) => void,
): DrawnLines {
  const nodes = analysis?.nodeRanges;
  const edges = analysis?.lineRanges;
  return useMemo(() => {
    const show = (range: TextRange | undefined, focus: boolean): void => {
      if (range === undefined) return;
      editor.current?.reveal(range, focus);
      editor.current?.highlight(range);
      onPlace(range.startLine, range.startColumn);
    };
    return {
      reveal: (id) => show(nodes?.[id], true),
      look: (id) => show(nodes?.[id], false),
      lookEdge: (id) => show(edges?.[id], false),
    };
  }, [editor, nodes, edges, onPlace]);
}
