import type { KeyboardEvent } from 'react';

/** A node or an edge of the drawing. */
export type Drawn = { readonly node: string } | { readonly line: string };

/** How a drawing is edited; what stands in its text is the caller's. */
export interface CanvasEditing {
  /** Nodes that the text has; only these can be changed. */
  readonly nodes: ReadonlySet<string>;
  /** Edges that the text has. */
  readonly lines: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  readonly line: string | null;
  /** While an edge is drawn: why it cannot lead to a node, by the node's id; null while none is drawn. */
  readonly faults: Readonly<Record<string, string>> | null;
  /** The node whose name is being written. */
  readonly renaming: string | null;
  readonly onNode: (id: string, more: boolean) => void;
  readonly onLine: (id: string) => void;
  readonly onMenu: (drawn: Drawn | null, x: number, y: number) => void;
  /** True when the key was for the drawing. */
  readonly onKey: (event: KeyboardEvent, drawn: Drawn | null) => boolean;
  readonly onConnectStart: (from: string) => void;
  /** What is drawn next is an end of an edge that there is. */
  readonly onReconnectStart: () => void;
  /** The edge that is drawn is over a node now, or over none. */
  readonly onConnectOver: (id: string | null) => void;
  readonly onConnect: (from: string, to: string) => void;
  /** The edge was let go; over a node that refuses it with the node's id. */
  readonly onConnectEnd: (refused: string | null) => void;
  /** An end of an edge was led to another node. */
  readonly onReconnect: (line: string, end: 'from' | 'to', node: string) => void;
  /** Null when it is given up. */
  readonly onRename: (id: string, name: string | null) => void;
}

/** The node or edge that has an element; null for the ground. */
export function drawnOf(target: EventTarget): Drawn | null {
  const element = target instanceof Element ? target : null;
  const id = (of: string): string | undefined =>
    element?.closest(of)?.getAttribute('data-id') ?? undefined;
  const node = id('.react-flow__node');
  const line = id('.react-flow__edge');
  if (node !== undefined) return { node };
  return line === undefined ? null : { line };
}
