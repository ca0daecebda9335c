import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Graph } from '../graph-ir.ts';
import type { Flow } from './flow.ts';

/** Where the connections of a file stand. */
function connectionsRef({ source }: Graph): SourceRef {
  const locator = source === 'dify' ? '$.workflow.graph.edges' : '$.connections';
  return { source_id: 'connections', source_label: 'connections', locator };
}

/** True for several steps of which no connection says what follows what. */
export function isUnconnected(flow: Flow): boolean {
  return flow.graph.connections.length === 0 && flow.stepOrder.length > 1;
}

/** Says that steps stand beside each other, and with which the draft starts. */
export function unconnectedCard(flow: Flow, start: string): Card {
  const detail = `No connection of the file can be used, so nothing says in which order its ${flow.stepOrder.length} steps run; the draft holds them beside each other and starts with "${start}".`;
  const todo = 'Draw the edges between the steps, and choose the start.';
  return { ref: connectionsRef(flow.graph), kind: 'source_cannot_run', detail, todo };
}
