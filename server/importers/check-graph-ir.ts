import type { Connection, Graph, Output } from './graph-ir.ts';
import { SourceRefused } from './source-refused.ts';

function broken(what: string): SourceRefused {
  return new SourceRefused(
    'importer_graph_invalid',
    `The importer made a graph that breaks its own rules (${what}). This is a fault of the program, not of the file.`,
  );
}

function checkOutputs(outputs: readonly Output[], index: number): void {
  if (outputs.length < 2) return;
  const positions = new Set(outputs.map((output) => output.position));
  if (positions.size !== outputs.length) throw broken(`outputs of element ${index}`);
}

function checkConnection(
  connection: Connection,
  index: number,
  outputs: ReadonlyMap<string, readonly Output[]>,
): void {
  const source = outputs.get(connection.source);
  if (source === undefined) throw broken(`source of connection ${index}`);
  if (!outputs.has(connection.target)) throw broken(`target of connection ${index}`);
  if (source.some((output) => output.position === connection.position)) return;
  throw broken(`output of connection ${index}`);
}

function checkErrorRoutes(graph: Graph): void {
  const reported = new Set(
    graph.losses
      .filter((loss) => loss.kind === 'error_route_not_carried' || loss.kind === 'carried_as')
      .map((loss) => loss.ref.source_id),
  );
  for (const [index, node] of graph.nodes.entries()) {
    const error = node.outputs.find((output) => output.role === 'error');
    if (error === undefined || node.payload.kind === 'deactivated') continue;
    const wired = graph.connections.some(
      (c) => c.source === node.id && c.position === error.position,
    );
    if (wired && !reported.has(node.id)) throw broken(`error route of node ${index}`);
  }
}

/** Checks what every adapter promises (importers 3); the message names positions only. */
export function checkGraph(graph: Graph): void {
  const outputs = new Map<string, readonly Output[]>();
  const elements = [...graph.nodes, ...graph.waypoints, ...graph.entries];
  for (const [index, element] of elements.entries()) {
    checkOutputs(element.outputs, index);
    outputs.set(element.id, element.outputs);
  }
  for (const [index, connection] of graph.connections.entries()) {
    checkConnection(connection, index, outputs);
  }
  if ((graph.entries.length === 0) !== (graph.entryAbsence !== null)) throw broken('entries');
  if (graph.items === undefined) checkErrorRoutes(graph);
}
