import { t } from '../../../../preload/texts/t.ts';
import '../../../graph/graph.css';
import './source-canvas.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  type Edge,
  MarkerType,
  type NodeHandle,
  type NodeTypes,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useStore,
} from '@xyflow/react';
import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import type { CanvasView } from '../../../../server/contract/studio/analyses.ts';
import {
  CANVAS,
  CanvasGround,
  DRAW_ALL_UNTIL,
  OVERVIEW_FROM,
  Overview,
} from '../../../graph/canvas-parts.tsx';
import { useCanvasView } from '../../../graph/use-canvas-view.ts';
import { useFollow } from '../../../graph/use-follow.ts';
import type { DrawingFocus } from '../arrange-drawings.ts';
import { markText, type NodeMark } from './canvas-marks.ts';
import {
  type Direction,
  type DrawnNode,
  drawCanvas,
  NODE_HEIGHT,
  NODE_WIDTH,
  nodeTowards,
  typeText,
} from './canvas-model.ts';
import { type SourceFlowNode, SourceNode } from './source-node.tsx';

export interface SourceCanvasProps {
  readonly canvas: CanvasView;
  readonly label: string;
  readonly marks: ReadonlyMap<string, NodeMark>;
  /** The chosen nodes, by their source ids; a single one is brought into view. */
  readonly activeIds: readonly string[];
  readonly focus: DrawingFocus;
  readonly onNode: (sourceId: string) => void;
}

const NODE_TYPES: NodeTypes = { source: SourceNode };
const MIN_ZOOM = 0.04;
const FAR = 0.34;
const VERY_FAR = 0.18;
/** Where a drawing begins at its gap instead, since the whole would be too small. */
const TOO_SMALL: Readonly<Record<DrawingFocus, number>> = { gap: FAR, whole: VERY_FAR };
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const MARK_COLOURS = {
  blocking: 'var(--sw-danger)',
  manual: 'var(--sw-warning)',
  info: 'var(--sw-info)',
  settled: 'var(--sw-success)',
} as const;

/** Where edges meet a node; given, so that no edge waits for the node to be measured. */
const HANDLES: NodeHandle[] = [
  { id: 'in', type: 'target', position: Position.Left, x: 0, y: NODE_HEIGHT / 2 },
  { id: 'below', type: 'target', position: Position.Bottom, x: NODE_WIDTH / 2, y: NODE_HEIGHT },
  { id: 'out', type: 'source', position: Position.Right, x: NODE_WIDTH, y: NODE_HEIGHT / 2 },
  { id: 'above', type: 'source', position: Position.Top, x: NODE_WIDTH / 2, y: 0 },
].map((handle) => ({ ...handle, width: 1, height: 1 }) as NodeHandle);

function flowNode(drawn: DrawnNode, mark: NodeMark | undefined): SourceFlowNode {
  const { node, x, y } = drawn;
  const type = typeText(node.type);
  return {
    id: node.source_id,
    type: 'source',
    position: { x, y },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
    handles: HANDLES,
    focusable: false,
    selected: false,
    ariaLabel: t('{label}, {type}{off}, {mark}', {
      label: node.label,
      type,
      off: node.disabled ? t(', switched off') : '',
      mark: markText(mark),
    }),
    data: {
      label: node.label,
      type,
      disabled: node.disabled,
      note: /sticky ?note/i.test(node.type),
      mark,
      active: false,
    },
  };
}

function flowEdges(canvas: CanvasView): Edge[] {
  const known = new Map(canvas.nodes.map(({ source_id, label }) => [source_id, label]));
  return canvas.edges.flatMap((edge, index) => {
    const main = edge.kind === 'main';
    return known.has(edge.source_id) && known.has(edge.target_id)
      ? [
          {
            id: String(index),
            source: edge.source_id,
            target: edge.target_id,
            sourceHandle: main ? 'out' : 'above',
            targetHandle: main ? 'in' : 'below',
            ariaLabel: t('Edge from {from} to {to}', {
              from: known.get(edge.source_id),
              to: known.get(edge.target_id),
            }),
            className: main ? 'sw-source-edge' : 'sw-source-edge sw-source-attached',
            markerEnd: {
              type: MarkerType.ArrowClosed,
              width: 14,
              height: 14,
              color: 'var(--sw-text-faint)',
            },
          },
        ]
      : [];
  });
}

/** The source's own drawing: pan, zoom, fit, overview; arrow keys go from node to node. */
export const SourceCanvas = memo(function SourceCanvas(props: SourceCanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
});

function boundsOf(drawn: readonly DrawnNode[]) {
  const xs = drawn.map(({ x }) => x);
  const ys = drawn.map(({ y }) => y);
  const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
  const x = least(xs);
  const y = least(ys);
  return { x, y, width: most(xs) - x + NODE_WIDTH, height: most(ys) - y + NODE_HEIGHT };
}

function Drawing(props: SourceCanvasProps) {
  const { canvas, marks, activeIds, focus, onNode } = props;
  const activeId = activeIds[0] ?? null;
  const others = useMemo(() => activeIds.slice(1), [activeIds]);
  const scheme = useComputedColorScheme('dark');
  const host = useRef<HTMLDivElement>(null);
  const far = useStore(({ transform: [, , zoom] }) =>
    zoom < VERY_FAR ? 'very' : zoom < FAR ? 'far' : 'near',
  );
  const drawn = useMemo(() => drawCanvas(canvas), [canvas]);
  const edges = useMemo(() => flowEdges(canvas), [canvas]);
  const entry = activeIds[0] ?? drawn[0]?.node.source_id;
  const plain = useMemo(
    () => drawn.map((one) => flowNode(one, marks.get(one.node.source_id))),
    [drawn, marks],
  );
  const nodes = useMemo(
    () =>
      plain.map((node) => {
        const active = activeIds.includes(node.id);
        return active || node.id === entry
          ? { ...node, focusable: node.id === entry, data: { ...node.data, active } }
          : node;
      }),
    [plain, activeIds, entry],
  );
  const opening = useRef(entry);
  const view = useMemo(() => {
    const first = drawn.find(({ node }) => node.source_id === opening.current) ?? drawn[0];
    return first === undefined
      ? null
      : {
          bounds: boundsOf(drawn),
          // A long row of boxes without names says nothing: begin where the gap is.
          start: { x: first.x, y: first.y, width: NODE_WIDTH, height: NODE_HEIGHT },
          readableFrom: TOO_SMALL[focus],
          minZoom: MIN_ZOOM,
          maxZoom: 1,
          padding: 0.08,
        };
  }, [drawn, focus]);
  const showWhole = useCanvasView(host, view);
  const places = useMemo(
    () =>
      drawn.map(({ node, x, y }) => ({
        id: node.source_id,
        x,
        y,
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
      })),
    [drawn],
  );
  useFollow(host, places, activeId, others);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const id = event.target instanceof HTMLElement ? event.target.dataset['id'] : undefined;
    const direction = ARROWS[event.key];
    if (id === undefined) {
      return;
    }
    const next = direction === undefined ? undefined : nodeTowards(drawn, id, direction);
    if (direction !== undefined || event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      onNode(next ?? id);
      focusNode(host.current, next ?? id);
    }
  };
  return (
    <div className="sw-graph sw-source" data-testid="source-canvas" data-far={far}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the nodes inside of it */}
      <div className="sw-graph-view" ref={host} onKeyDown={onKeyDown}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={scheme}
          aria-label={props.label}
          {...CANVAS}
          elementsSelectable={false}
          disableKeyboardA11y
          minZoom={MIN_ZOOM}
          onlyRenderVisibleElements={nodes.length > DRAW_ALL_UNTIL}
          onNodeClick={(_event, node) => onNode(node.id)}
        >
          <CanvasGround label={t('Fit the drawing')} onWhole={showWhole} />
          {view !== null && nodes.length >= OVERVIEW_FROM && (
            <Overview
              bounds={view.bounds}
              label={t('Overview of the source')}
              compact
              colorOf={(id) => {
                const mark = marks.get(id);
                return mark === undefined ? undefined : MARK_COLOURS[mark.worst];
              }}
            />
          )}
        </ReactFlow>
      </div>
    </div>
  );
}

function focusNode(host: HTMLElement | null, id: string): void {
  requestAnimationFrame(() => {
    host
      ?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true });
  });
}
