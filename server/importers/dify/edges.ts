import type { Connection, Loss } from '../graph-ir.ts';
import type { Containers } from './containers.ts';
import type { DifyDocument, DifyEdge } from './document.ts';
import type { HandledOutput } from './scene.ts';

const DEFAULT_HANDLE = 'source';

/**
 * Outputs of every placed element. An output that an edge uses is added, unless the element selects
 * among its outputs.
 */
export interface OutputTable {
  readonly outputs: Map<string, HandledOutput[]>;
  /** Elements whose outputs are those that they declare; edges add none. */
  readonly selecting: ReadonlySet<string>;
}

/** A connection that is in no draft. */
export function droppedEdge(edge: DifyEdge, reason: string): Loss {
  const ref = {
    source_id: `edge:${edge.index}`,
    source_label: `connection ${edge.index}`,
    locator: `$.workflow.graph.edges[${edge.index}]`,
  };
  return { ref, kind: 'parameters_not_carried', effective: false, detail: reason };
}

function findOutput(table: OutputTable, source: string, handle: string): HandledOutput | undefined {
  const list = table.outputs.get(source) ?? [];
  const known = list.find((output) => output.handle === handle);
  if (known !== undefined || table.selecting.has(source)) return known;
  const added: HandledOutput = { handle, position: list.length, role: 'undeclared' };
  table.outputs.set(source, [...list, added]);
  return added;
}

type ReadableEdge = { readonly [Key in keyof DifyEdge]: NonNullable<DifyEdge[Key]> };

function isReadable(edge: DifyEdge): edge is ReadableEdge {
  return edge.source !== null && edge.target !== null && edge.handle !== null;
}

/** Reads the edges in order, lifting those of container members to the container (importers 5.3, 5.5). */
export function readEdges(
  doc: DifyDocument,
  containers: Containers,
  table: OutputTable,
): { connections: Connection[]; losses: Loss[] } {
  const connections: Connection[] = [];
  const losses: Loss[] = [];
  for (const edge of doc.edges) {
    if (!isReadable(edge)) {
      losses.push(droppedEdge(edge, `Edge ${edge.index} cannot be read; the source ignores it.`));
      continue;
    }
    const source = containers.outermost.get(edge.source) ?? edge.source;
    const target = containers.outermost.get(edge.target) ?? edge.target;
    const lifted = source !== edge.source;
    if (source === target && (lifted || target !== edge.target)) continue;
    const handle = lifted ? DEFAULT_HANDLE : edge.handle;
    const output = findOutput(table, source, handle);
    if (output === undefined) {
      const detail = `Edge ${edge.index} starts at an output that its element does not have.`;
      losses.push(droppedEdge(edge, detail));
      continue;
    }
    const label = output.role === 'default' ? null : handle;
    connections.push({ source, target, position: output.position, label });
  }
  return { connections, losses };
}
