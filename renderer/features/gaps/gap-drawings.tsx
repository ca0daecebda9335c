import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import { WINDOW_PART } from '../../app/window-parts.ts';
import { GraphCanvas, type GraphMark } from '../../graph/graph-canvas.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { arrange, type DrawingFocus } from './arrange-drawings.ts';
import type { DraftReading } from './draft/draft-protocol.ts';
import type { GapCard } from './gap-model.ts';
import type { Links } from './links.ts';
import { markText, type NodeMark, nodeMarks } from './source/canvas-marks.ts';
import { SourceCanvas } from './source/source-canvas.tsx';

interface Read<T> {
  readonly data: T | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  refetch(): unknown;
}

export interface GapDrawingsProps {
  readonly cards: readonly GapCard[];
  readonly canvas: Read<CanvasView>;
  readonly reading: Read<DraftReading>;
  readonly links: Links;
  /** The source elements that are chosen. */
  readonly activeIds: readonly string[];
  readonly draftName: string;
  readonly focus: DrawingFocus;
  readonly onSource: (sourceId: string) => void;
  readonly onDraftNode: (nodeId: string) => void;
}

const TONES = {
  blocking: 'danger',
  manual: 'warning',
  info: 'info',
  settled: 'success',
} as const;

/** Marks of the draft's nodes: those of the source elements that they carry. */
function draftMarks(
  marks: ReadonlyMap<string, NodeMark>,
  links: Links,
): Readonly<Record<string, GraphMark>> {
  return Object.fromEntries(
    [...links.sourceOf].flatMap(([nodeId, sourceId]) => {
      const mark = marks.get(sourceId);
      return mark === undefined || mark.worst === 'info'
        ? []
        : [[nodeId, { tone: TONES[mark.worst], text: markText(mark) }]];
    }),
  );
}

/** The source as it was drawn and the draft that it became, both where there is room. */
export function GapDrawings(props: GapDrawingsProps) {
  const { ref, width, height } = useElementSize();
  const [view, setView] = useState<'source' | 'draft'>('source');
  const arrangement = arrange(props.focus, width, height);
  const both = arrangement !== 'one';
  return (
    <section
      ref={ref}
      className="sw-gap-drawings"
      {...WINDOW_PART}
      aria-label={t('Source and draft')}
      data-arrangement={arrangement}
    >
      {width > 0 && !both && (
        <SegmentedControl
          size="xs"
          className="sw-gap-view"
          value={view}
          onChange={(next) => setView(next === 'draft' ? 'draft' : 'source')}
          data={[
            { value: 'source', label: t('Source') },
            { value: 'draft', label: t('Draft') },
          ]}
          data-testid="drawing-view"
        />
      )}
      {width > 0 && (both || view === 'source') && (
        <div className="sw-gap-drawing">
          {both && <h3>{t('Source')}</h3>}
          <SourcePane {...props} />
        </div>
      )}
      {width > 0 && (both || view === 'draft') && (
        <div className="sw-gap-drawing">
          {both && <h3>{t('Draft {draftName}', { draftName: props.draftName })}</h3>}
          <DraftPane {...props} />
        </div>
      )}
    </section>
  );
}

function SourcePane(props: GapDrawingsProps) {
  const { canvas, cards } = props;
  const marks = useMemo(() => nodeMarks(cards), [cards]);
  if (canvas.data === undefined) {
    return canvas.isPending ? (
      <ListSkeleton rows={5} />
    ) : (
      <ErrorState compact error={canvas.error} onRetry={() => void canvas.refetch()} />
    );
  }
  return canvas.data.nodes.length === 0 ? (
    <EmptyState compact title={t('No drawing was kept')}>
      {t('Import the source again to see where its gaps are.')}
    </EmptyState>
  ) : (
    <SourceCanvas
      canvas={canvas.data}
      marks={marks}
      activeIds={props.activeIds}
      focus={props.focus}
      label={t('The source as it was drawn')}
      onNode={props.onSource}
    />
  );
}

function DraftPane(props: GapDrawingsProps) {
  const { reading, links, cards, activeIds } = props;
  const marks = useMemo(() => draftMarks(nodeMarks(cards), links), [cards, links]);
  const [only, second] = activeIds;
  const active = only !== undefined && second === undefined ? links.nodesOf.get(only)?.[0] : null;
  if (reading.data === undefined) {
    return reading.error !== null && reading.error !== undefined ? (
      <ErrorState compact error={reading.error} onRetry={() => void reading.refetch()} />
    ) : (
      <ListSkeleton rows={5} />
    );
  }
  return reading.data.graph === null ? (
    <EmptyState compact title={t('The draft cannot be drawn')}>
      {t('Its text has an error. Open the editor to mend it.')}
    </EmptyState>
  ) : (
    <GraphCanvas
      graph={reading.data.graph}
      label={t('Graph of the draft')}
      activeId={active ?? null}
      marks={marks}
      follow
      compact
      onNode={props.onDraftNode}
    />
  );
}
