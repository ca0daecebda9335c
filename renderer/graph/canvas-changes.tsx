import { type ReactFlowProps, useConnection } from '@xyflow/react';
import { useEffect } from 'react';
import type { CanvasEditing } from './canvas-editing.ts';

/** Tells which node the edge that is being drawn is over. */
export function DrawnOver(props: { readonly onOver: (id: string | null) => void }) {
  const { onOver } = props;
  const over = useConnection((connection) => connection.toNode?.id ?? null);
  useEffect(() => onOver(over), [onOver, over]);
  return null;
}

const RECONNECT_RADIUS = 9;

/** What the canvas does while its drawing can be changed. */
export function editingProps(editing: CanvasEditing | undefined): Partial<ReactFlowProps> {
  if (editing === undefined) return {};
  return {
    nodesConnectable: true,
    edgesFocusable: true,
    connectOnClick: false,
    onEdgeClick: (_event, edge) => {
      if (editing.lines.has(edge.id)) editing.onLine(edge.id);
    },
    onNodeContextMenu: (event, node) => {
      event.preventDefault();
      editing.onMenu({ node: node.id }, event.clientX, event.clientY);
    },
    onEdgeContextMenu: (event, edge) => {
      event.preventDefault();
      editing.onMenu({ line: edge.id }, event.clientX, event.clientY);
    },
    onPaneContextMenu: (event) => {
      event.preventDefault();
      editing.onMenu(null, event.clientX, event.clientY);
    },
    reconnectRadius: RECONNECT_RADIUS,
    onReconnect: ({ id, source, target }, now) => {
      const end = now.target === target ? 'from' : 'to';
      const node = end === 'from' ? now.source : now.target;
      if (node !== (end === 'from' ? source : target)) editing.onReconnect(id, end, node);
    },
    onReconnectStart: () => editing.onReconnectStart(),
    onConnectStart: (_event, { nodeId }) => {
      if (nodeId !== null) editing.onConnectStart(nodeId);
    },
    isValidConnection: ({ target }) => editing.faults?.[target] === undefined,
    onConnect: ({ source, target }) => editing.onConnect(source, target),
    onConnectEnd: (_event, { isValid, toNode }) =>
      editing.onConnectEnd(isValid === true ? null : (toNode?.id ?? null)),
  };
}
