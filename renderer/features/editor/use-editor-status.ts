import { useEffect, useMemo, useState } from 'react';
import { findingsIn } from '../../../server/contract/platform/findings.ts';
import {
  type EditorStatus,
  editorStatusStore,
  type Problem,
} from '../../workbench/editor-status.ts';
import { type DraftBuffer, saveStateOf } from './draft-buffer.ts';
import { locateFindings, type PlacedFinding } from './locate-findings.ts';
import { localProblems, withPlatformProblems } from './markers.ts';
import type { EditorHandle } from './spec-editor.tsx';
import type { AnalysisState } from './use-analysis.ts';
import type { PreviewState } from './use-preview.ts';

/** The platform's findings with their places in the text that it was asked about. */
function usePlatformFindings(preview: PreviewState, ref: string, text: string | undefined) {
  const [placed, setPlaced] = useState<readonly PlacedFinding[]>([]);
  const { view, text: asked } = preview;
  const current = asked === text;
  useEffect(() => {
    let wanted = true;
    const findings =
      current && view !== null ? view.stages.flatMap(({ detail }) => findingsIn(detail)) : [];
    const locate = async (): Promise<void> => {
      const list = await locateFindings(findings, asked ?? '', ref);
      if (wanted) {
        setPlaced(list);
      }
    };
    locate().catch(() => wanted && setPlaced([]));
    return () => {
      wanted = false;
    };
  }, [view, asked, current, ref]);
  return placed;
}

function checkOf({ running, latest }: AnalysisState): EditorStatus['check'] {
  if (running) return 'running';
  return latest === null ? 'none' : 'done';
}

/** Puts the draft in front into the status bar and the Problems panel; answers its problems. */
export function useEditorStatus(input: {
  readonly projectId: string;
  readonly ref: string;
  readonly buffer: DraftBuffer | null;
  readonly readOnly: boolean;
  readonly analysis: AnalysisState;
  readonly preview: PreviewState;
  readonly cursor: { readonly line: number; readonly column: number } | null;
  readonly editor: { readonly current: EditorHandle | null };
}): readonly Problem[] {
  const { projectId, ref, buffer, readOnly, analysis, preview, cursor, editor } = input;
  const platform = usePlatformFindings(preview, ref, buffer?.text);
  const check = checkOf(analysis);
  const diagnostics = analysis.latest?.diagnostics;
  const problems = useMemo(
    () => withPlatformProblems(localProblems(diagnostics ?? []), platform),
    [diagnostics, platform],
  );
  useEffect(() => {
    if (buffer === null) {
      return;
    }
    editorStatusStore.set({
      projectId,
      ref,
      save: saveStateOf(buffer, readOnly),
      revision: buffer.base.revision,
      check,
      problems,
      cursor,
      reveal: ({ line, column }) =>
        editor.current?.reveal({
          startLine: line ?? 1,
          startColumn: column ?? 1,
          endLine: line ?? 1,
          endColumn: column ?? 1,
        }),
    });
  }, [projectId, ref, buffer, readOnly, check, problems, cursor, editor]);
  useEffect(() => () => editorStatusStore.set(null), []);
  return problems;
}
