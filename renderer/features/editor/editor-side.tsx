import { SegmentedControl } from '@mantine/core';
import { IconDownload, IconFocusCentered } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { CommandAction } from '../../app/command-action.tsx';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Problem } from '../../workbench/editor-status.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { nodeAtLine } from './spec-analysis.ts';
import type { AnalysisState } from './use-analysis.ts';
import type { PreviewState } from './use-preview.ts';

/** Beside the text: the live graph, or the platform's word. */
export function EditorSide(props: {
  readonly label: string;
  readonly analysis: AnalysisState;
  readonly activeId: string | null;
  readonly onNode: (id: string) => void;
  readonly problems: readonly Problem[];
  readonly preview: PreviewState & { readonly run: () => void };
  readonly alias: string | undefined;
  readonly text: string;
}) {
  const [view, setView] = useState<'graph' | 'preview'>('graph');
  const { analysis, problems } = props;
  const ranges = analysis.latest?.nodeRanges;
  const warnings = useMemo(() => nodeWarnings(problems, ranges ?? {}), [problems, ranges]);
  return (
    <aside className="sw-side" aria-label="Graph and preview">
      <div className="sw-side-head">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => setView(next === 'preview' ? 'preview' : 'graph')}
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'preview', label: 'Preview' },
          ]}
          data-testid="side-view"
        />
        <span style={{ flex: 1 }} />
        {view === 'graph' && (
          <>
            <CommandAction
              command="graph.fit"
              label="Fit graph"
              icon={<IconFocusCentered size={16} />}
            />
            <CommandAction
              command="graph.export-svg"
              label="Export graph as SVG"
              icon={<IconDownload size={16} />}
            />
          </>
        )}
      </div>
      <div className="sw-side-body">
        {view === 'preview' && (
          <PreviewPanel preview={props.preview} alias={props.alias} currentText={props.text} />
        )}
        {view === 'graph' && analysis.graph !== null && (
          <GraphCanvas
            graph={analysis.graph}
            label={`Graph of ${props.label}`}
            stale={analysis.stale}
            activeId={props.activeId}
            onNode={props.onNode}
            warnings={warnings}
          />
        )}
        {view === 'graph' && analysis.graph === null && analysis.latest !== null && (
          <EmptyState title="No graph yet">
            The graph is drawn as soon as the text can be read as a spec. The findings are in
            Problems.
          </EmptyState>
        )}
      </div>
    </aside>
  );
}

function nodeWarnings(
  problems: readonly Problem[],
  ranges: Parameters<typeof nodeAtLine>[0],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    problems.flatMap((problem) => {
      const id =
        problem.line === null || problem.severity !== 'error'
          ? undefined
          : nodeAtLine(ranges, problem.line);
      return id === undefined ? [] : [[id, problem.message]];
    }),
  );
}
