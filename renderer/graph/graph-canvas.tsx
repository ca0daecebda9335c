import { t } from '../../preload/texts/t.ts';
import { rich } from '../ui/rich.ts';
import { kindWord } from './kind-words.ts';
import './graph.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  type EdgeTypes,
  MarkerType,
  type NodeHandle,
  type NodeTypes,
  Position,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import { memo, useId, useMemo, useRef } from 'react';
import { useCommand } from '../app/use-command.ts';
import { notifyDone, notifyError } from '../ui/notify.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { DrawnOver, editingProps } from './canvas-changes.tsx';
import { type CanvasEditing, drawnOf } from './canvas-editing.ts';
import { CANVAS, CanvasGround, DRAW_ALL_UNTIL, OVERVIEW_FROM, Overview } from './canvas-parts.tsx';
import { SpecEdge, type SpecFlowEdge } from './edge-shapes.tsx';
import { exportPng, exportSvg } from './export-graph.ts';
import type { GraphModel, NodeKind } from './graph-model.ts';
import { graphWords } from './graph-words.ts';
import { containerIds, layoutBounds, type PlacedNode } from './layout-model.ts';
import {
  KIND_ICONS,
  type MarkTone,
  type NodeProgress,
  type SpecFlowNode,
  SpecNode,
} from './node-shapes.tsx';
import { type CanvasView, useCanvasView } from './use-canvas-view.ts';
import { useFollow } from './use-follow.ts';
import { type LaidOut, useLayout } from './use-layout.ts';

export interface GraphCanvasProps {
  /** Null while there is nothing to draw yet. */
  readonly graph: GraphModel | null;
  /** Accessible name, and the name of an exported picture. */
  readonly label: string;
  /** The graph is the last good one of a text that cannot be read now. */
  readonly stale?: boolean;
  /** Node under the cursor or chosen. */
  readonly activeId?: string | null;
  readonly onNode?: (id: string) => void;
  /** What a run did, by node id. */
  readonly progress?: Readonly<Record<string, NodeProgress>>;
  /** Edges that a run took, as `source->target`. */
  readonly taken?: ReadonlySet<string>;
  /** Findings by node id. */
  readonly warnings?: Readonly<Record<string, string>>;
  /** What stands below the names of nodes instead of what they refer to, by node id. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Marks by node id; a warning of the same node comes first. */
  readonly marks?: Readonly<Record<string, GraphMark>>;
  /** Brings the active node into view when another one becomes active. */
  readonly follow?: boolean;
  /** A small pane: the overview is small too. */
  readonly compact?: boolean;
  /** What dashed edges and pale nodes mean here. */
  readonly words?: LegendWords;
  /** Without it the drawing is looked at only. */
  readonly editing?: CanvasEditing | undefined;
}

export interface LegendWords {
  readonly conditional: string;
  readonly disabled: string;
}

const USUAL_WORDS: LegendWords = { conditional: 'conditional', disabled: 'disabled' };

/** A mark on a node: what it says, and how grave that is. */
export interface GraphMark {
  readonly tone: MarkTone;
  readonly text: string;
}

interface NodeMarks {
  readonly activeId: GraphCanvasProps['activeId'];
  readonly progress: GraphCanvasProps['progress'];
  readonly warnings: GraphCanvasProps['warnings'];
  readonly marks: GraphCanvasProps['marks'];
  readonly notes: GraphCanvasProps['notes'];
  readonly editing: CanvasEditing | undefined;
}

const NODE_TYPES: NodeTypes = { spec: SpecNode };
const EDGE_TYPES: EdgeTypes = { spec: SpecEdge };
const NOWHERE: readonly PlacedNode[] = [];
const MIN_ZOOM = 0.1;
const FIT_ZOOM = 1.15;
const FIT_PADDING = 0.12;

/** Where edges meet a node; given, so that no edge waits for the node to be measured. */
function handlesOf(width: number, height: number): NodeHandle[] {
  const at = { x: width / 2, width: 1, height: 1 };
  return [
    { ...at, type: 'target', position: Position.Top, y: 0 },
    { ...at, type: 'source', position: Position.Bottom, y: height },
  ];
}

function flowNodes(laidOut: LaidOut, props: NodeMarks): SpecFlowNode[] {
  const places = new Map(laidOut.layout.nodes.map((node) => [node.id, node]));
  const containers = containerIds(laidOut.graph);
  return laidOut.graph.nodes.map((node) => {
    const place = places.get(node.id);
    return {
      id: node.id,
      type: 'spec',
      position: { x: place?.x ?? 0, y: place?.y ?? 0 },
      width: place?.width ?? 120,
      height: place?.height ?? 48,
      zIndex: containers.has(node.id) ? -1 : 1,
      measured: { width: place?.width ?? 120, height: place?.height ?? 48 },
      handles: handlesOf(place?.width ?? 120, place?.height ?? 48),
      ariaLabel: `${kindWord(node.kind)} ${node.label}${node.start ? t(', start') : ''}${markWords(props, node.id)}`,
      data: {
        label: node.label,
        detail: props.notes?.[node.id] ?? node.detail,
        noted: props.notes?.[node.id] !== undefined,
        kind: node.kind,
        container: containers.has(node.id),
        start: node.start,
        disabled: node.disabled,
        progress: props.progress?.[node.id] ?? 'idle',
        active: props.activeId === node.id,
        ...markOf(props, node.id),
        ...changeOf(props.editing, node.id),
      },
    };
  });
}

/** What is marked on a node; a warning comes first. */
function markOf({ warnings, marks }: NodeMarks, id: string) {
  const warning = warnings?.[id];
  const mark = marks?.[id];
  return warning !== undefined || mark === undefined
    ? { warning: warning ?? null, tone: 'danger' as const }
    : { warning: mark.text, tone: mark.tone };
}

/** How a node can be changed. */
function changeOf(editing: CanvasEditing | undefined, id: string) {
  const editable = editing?.nodes.has(id) === true;
  return {
    editable,
    chosen: editing?.chosen.has(id) === true,
    refused: editing?.faults?.[id] ?? null,
    rename: editing?.renaming === id ? (name: string | null) => editing.onRename(id, name) : null,
  };
}

function markWords(props: NodeMarks, id: string): string {
  const words = [props.notes?.[id], props.marks?.[id]?.text];
  return words.flatMap((word) => (word === undefined ? [] : [`, ${word}`])).join('');
}

function flowEdges(
  laidOut: LaidOut,
  taken: GraphCanvasProps['taken'],
  editing: CanvasEditing | undefined,
): SpecFlowEdge[] {
  const places = new Map(laidOut.layout.edges.map((edge) => [edge.id, edge]));
  const labels = new Map(laidOut.graph.nodes.map((node) => [node.id, node.label]));
  return laidOut.graph.edges.map((edge) => {
    const place = places.get(edge.id);
    const wasTaken = taken?.has(`${edge.source}->${edge.target}`) ?? false;
    return {
      id: edge.id,
      type: 'spec',
      source: edge.source,
      target: edge.target,
      focusable: editing?.lines.has(edge.id) === true,
      // The ends of the chosen edge lie above the nodes, where they can be taken.
      reconnectable: editing?.line === edge.id,
      ...(editing?.line === edge.id ? { zIndex: 10 } : {}),
      ariaLabel: t('Edge from {get} to {get2}{detail}', {
        get: labels.get(edge.source) ?? '',
        get2: labels.get(edge.target) ?? '',
        detail: edge.label === null ? '' : `, ${edge.label}`,
      }),
      markerEnd: {
        type: MarkerType.ArrowClosed,
        // Not with the width of the line: a thick one would hide the node that it leads to.
        markerUnits: 'userSpaceOnUse',
        width: 22,
        height: 22,
        color: wasTaken ? 'var(--sw-success)' : 'var(--sw-text-faint)',
      },
      data: {
        points: place?.points ?? [],
        labelAt: place?.label ?? null,
        text: edge.label,
        conditional: edge.conditional,
        taken: wasTaken,
        chosen: editing?.line === edge.id,
        choose: editing?.lines.has(edge.id) === true ? () => editing.onLine(edge.id) : null,
      },
    };
  });
}

/** Where the run starts; the topmost node when nothing says so. */
function startPlace({ graph, layout }: LaidOut): PlacedNode | undefined {
  const start = graph.nodes.find((node) => node.start)?.id;
  const top = layout.nodes.reduce<PlacedNode | undefined>(
    (least, node) => (least === undefined || node.y < least.y ? node : least),
    undefined,
  );
  return layout.nodes.find(({ id }) => id === start) ?? top;
}

/** The drawing as a whole, and where to begin with one that is too large to read at once. */
function viewOf(laidOut: LaidOut): CanvasView {
  const start = startPlace(laidOut);
  return {
    bounds: layoutBounds(laidOut.layout),
    // The flow goes down from there: without a height it stands at the top of the pane.
    start: start && { x: start.x, y: start.y, width: start.width },
    minZoom: MIN_ZOOM,
    maxZoom: FIT_ZOOM,
    padding: FIT_PADDING,
    refit: true,
  };
}

/** A workflow drawn by the layered layout: pan, zoom, fit, minimap, export. */
export const GraphCanvas = memo(function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
});

function Canvas(props: GraphCanvasProps) {
  const { laidOut, error } = useLayout(props.graph);
  const scheme = useComputedColorScheme('dark');
  const words = useId();
  const host = useRef<HTMLDivElement>(null);
  const { activeId, progress, warnings, marks, notes, taken, editing } = props;
  const nodes = useMemo(
    () =>
      laidOut === null
        ? []
        : flowNodes(laidOut, { activeId, progress, warnings, marks, notes, editing }),
    [laidOut, activeId, progress, warnings, marks, notes, editing],
  );
  const edges = useMemo(
    () => (laidOut === null ? [] : flowEdges(laidOut, taken, editing)),
    [laidOut, taken, editing],
  );
  const view = useMemo(() => (laidOut === null ? null : viewOf(laidOut)), [laidOut]);
  const showWhole = useCanvasView(host, view);
  useFollow(
    host,
    laidOut?.layout.nodes ?? NOWHERE,
    props.follow === true ? (activeId ?? null) : null,
  );
  const draw = async (save: typeof exportSvg): Promise<void> => {
    if (laidOut === null) return;
    try {
      const { saved, name } = await save(laidOut, props.label);
      if (saved) notifyDone(t('Exported {name}', { name: name ?? props.label }));
    } catch (error) {
      notifyError(t('The graph was not exported'), error);
    }
  };
  useCommand('graph.fit', showWhole);
  useCommand('graph.export-svg', () => void draw(exportSvg), laidOut !== null);
  useCommand('graph.export-png', () => void draw(exportPng), laidOut !== null);
  return (
    <div
      className="sw-graph"
      data-testid="graph"
      data-stale={props.stale === true}
      data-nodes={laidOut?.graph.nodes.length ?? 0}
      data-editing={editing !== undefined}
      data-connecting={editing?.faults != null}
    >
      {props.stale === true && (
        <div className="sw-graph-note" role="status">
          <Badge tone="warning">{t('Last graph that could be read')}</Badge>
        </div>
      )}
      {props.graph !== null && laidOut === null && error === undefined && (
        <div className="sw-graph-note" role="status">
          <Badge>
            {t('{count, plural, one {Laying out # node…} other {Laying out # nodes…}}', {
              count: props.graph.nodes.length,
            })}
          </Badge>
        </div>
      )}
      {laidOut?.rough === true && error === undefined && (
        <div className="sw-graph-note" role="status" data-testid="graph-rough">
          <Badge tone="info">
            {t('Arranging {count} nodes…', { count: laidOut.graph.nodes.length })}
          </Badge>
        </div>
      )}
      {error !== undefined && (
        <div className="sw-graph-note" role="alert">
          <Badge tone="danger">{t('The graph could not be laid out')}</Badge>
        </div>
      )}
      <div className="sw-graph-view" ref={host}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={scheme}
          aria-label={props.label}
          aria-describedby={words}
          {...CANVAS}
          minZoom={MIN_ZOOM}
          onlyRenderVisibleElements={nodes.length > DRAW_ALL_UNTIL}
          {...editingProps(editing)}
          onNodeClick={(event, node) => {
            if (editing === undefined) props.onNode?.(node.id);
            else editing.onNode(node.id, event.shiftKey || event.ctrlKey || event.metaKey);
          }}
          onKeyDown={(event) => {
            const drawn = drawnOf(event.target);
            if (editing?.onKey(event, drawn) === true) event.preventDefault();
            else if (event.key === 'Enter' && drawn !== null && 'node' in drawn) {
              props.onNode?.(drawn.node);
            }
          }}
        >
          {editing?.faults != null && <DrawnOver onOver={editing.onConnectOver} />}
          <CanvasGround label={t('Fit graph')} onWhole={showWhole} />
          {view !== null && nodes.length >= OVERVIEW_FROM && (
            <Overview bounds={view.bounds} label={t('Overview')} compact={props.compact} />
          )}
        </ReactFlow>
      </div>
      <p id={words} className="sw-visually-hidden" data-testid="graph-words">
        {props.graph !== null && graphWords(props.graph)}
      </p>
      {laidOut !== null && <Legend graph={laidOut.graph} words={props.words ?? USUAL_WORDS} />}
    </div>
  );
}

function Legend(props: { readonly graph: GraphModel; readonly words: LegendWords }) {
  const kinds = new Set<NodeKind>(props.graph.nodes.map(({ kind }) => kind));
  kinds.delete('mark');
  const dots = props.graph.nodes.some(({ start, kind }) => start && kind !== 'mark');
  return (
    <div className="sw-graph-legend" aria-hidden>
      {dots && <span>{rich('{i} start', { i: <i className="sw-legend-start" /> })}</span>}
      {[...kinds].map((kind) => {
        const Icon = KIND_ICONS[kind];
        return (
          <span key={kind} style={{ color: `var(--sw-kind-${kind})` }}>
            <Icon size={13} stroke={1.6} /> {kind}
          </span>
        );
      })}
      {props.graph.edges.some(({ conditional }) => conditional) && (
        <span>
          <i className="sw-legend-dash" /> {props.words.conditional}
        </span>
      )}
      {props.graph.nodes.some(({ disabled }) => disabled) && (
        <span>
          <i className="sw-legend-off" /> {props.words.disabled}
        </span>
      )}
    </div>
  );
}
