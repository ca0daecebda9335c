import { ActionIcon, SegmentedControl } from '@mantine/core';
import { IconDownload, IconFocusCentered, IconForms } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { CommandAction } from '../../app/command-action.tsx';
import { WINDOW_PART } from '../../app/window-parts.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import type { GraphModel } from '../../graph/graph-model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Problem } from '../../workbench/editor-status.ts';
import { CloseOver } from '../../workbench/over-part.tsx';
import { EditableGraph } from './graph-editing/editable-graph.tsx';
import { InspectorPanel } from './inspector/inspector-panel.tsx';
import type { InspectorPart } from './inspector/use-inspector-part.ts';
import { OutlinePanel } from './outline-panel.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import type { DraftRunProgress } from './run/run-progress.ts';
import { nodeAtLine } from './spec-analysis.ts';
import type { EditorHandle } from './spec-editor.tsx';
import type { TextRange } from './spec-protocol.ts';
import type { AnalysisState } from './use-analysis.ts';
import type { DrawnLines } from './use-drawn-lines.ts';
import type { PreviewState } from './use-preview.ts';
import { revealPath } from './use-reveal.ts';

/** Beside the text: the live graph, the outline, or the platform's word. */
export function EditorSide(props: {
  readonly projectId: string;
  readonly label: string;
  readonly analysis: AnalysisState;
  readonly activeId: string | null;
  readonly lines: DrawnLines;
  readonly inspector: InspectorPart;
  readonly editor: { readonly current: EditorHandle | null };
  readonly file: string;
  readonly readOnly: boolean;
  readonly cursor: { readonly line: number } | null;
  readonly onPlace: (range: TextRange) => void;
  readonly problems: readonly Problem[];
  readonly preview: PreviewState & { readonly run: () => void };
  readonly alias: string | undefined;
  readonly text: string;
  /** How far the draft's run has come; null without one. */
  readonly progress: DraftRunProgress | null;
}) {
  const [view, setView] = useState<SideView>('graph');
  const { analysis, problems, inspector } = props;
  const ranges = analysis.latest?.nodeRanges;
  const warnings = useMemo(() => nodeWarnings(problems, ranges ?? {}), [problems, ranges]);
  return (
    <aside className="sw-side" aria-label={t('Graph, outline and preview')} {...WINDOW_PART}>
      <div className="sw-side-head">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => setView(isSideView(next) ? next : 'graph')}
          style={{ flex: 'none' }}
          data={[
            { value: 'graph', label: t('Graph') },
            { value: 'outline', label: t('Outline') },
            { value: 'preview', label: t('Preview') },
          ]}
          data-testid="side-view"
        />
        <div className="sw-side-tools">
          {view === 'graph' && (
            <>
              <CommandAction
                command="graph.fit"
                label={t('Fit graph')}
                icon={<IconFocusCentered size={16} />}
              />
              <CommandAction
                command="graph.export-svg"
                label={t('Export graph as SVG')}
                icon={<IconDownload size={16} />}
              />
            </>
          )}
          {view !== 'preview' && (
            <ActionIcon
              size="sm"
              variant={inspector.open ? 'light' : 'subtle'}
              color="gray"
              aria-label={t('Inspector')}
              aria-pressed={inspector.open}
              title={t('Inspector')}
              data-testid="side-inspector"
              onClick={inspector.toggle}
            >
              <IconForms size={16} />
            </ActionIcon>
          )}
          <CloseOver part="side" />
        </div>
      </div>
      <div className="sw-side-body">
        {view === 'preview' && (
          <PreviewPanel
            projectId={props.projectId}
            preview={props.preview}
            alias={props.alias}
            file={props.file}
            currentText={props.text}
            offlineAgents={analysis.latest?.offlineAgents ?? []}
            onPath={(path) =>
              revealPath(props.editor, { text: props.text, file: props.file, path })
            }
          />
        )}
        {view === 'outline' && (
          <OutlinePanel items={analysis.outline} cursor={props.cursor} onOpen={props.onPlace} />
        )}
        {view === 'graph' && analysis.graph !== null && (
          <SideGraph {...props} graph={analysis.graph} warnings={warnings} />
        )}
        {view === 'graph' && analysis.graph === null && analysis.latest !== null && (
          <EmptyState title={t('No graph yet')}>
            {t(
              'The graph is drawn as soon as the text can be read as a spec. The findings are in Problems.',
            )}
          </EmptyState>
        )}
      </div>
      {inspector.open && view !== 'preview' && (
        <InspectorPanel
          session={inspector.session}
          readOnly={props.readOnly}
          asked={inspector.asked}
          onBack={inspector.back}
          onClose={inspector.toggle}
        />
      )}
    </aside>
  );
}

/** The graph: of a text that may be written, one that edits it. */
function SideGraph(
  props: Parameters<typeof EditorSide>[0] & {
    readonly graph: GraphModel;
    readonly warnings: Readonly<Record<string, string>>;
  },
) {
  const { analysis, progress, warnings } = props;
  const drawing = {
    graph: props.graph,
    label: t('Graph of {label}', { label: props.label }),
    stale: analysis.stale,
    activeId: props.activeId,
    onNode: props.lines.reveal,
    warnings,
    ...(progress === null
      ? {}
      : { progress: progress.nodes, taken: progress.taken, notes: progress.answeredBy }),
  };
  return props.readOnly || analysis.editing === null ? (
    <GraphCanvas {...drawing} />
  ) : (
    <EditableGraph
      projectId={props.projectId}
      {...drawing}
      editor={props.editor}
      file={props.file}
      editing={analysis.editing}
      lines={props.lines}
      onInspect={props.inspector.ask}
    />
  );
}

type SideView = 'graph' | 'outline' | 'preview';

function isSideView(value: string): value is SideView {
  return value === 'graph' || value === 'outline' || value === 'preview';
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
