import type { Topology, TopologyEdge, TopologyNode } from '../../server/spec/graph/topology.ts';
import { type GraphModel, nodeKind } from './graph-model.ts';

function edgeLabel(edge: TopologyEdge): string | null {
  return edge.label ?? edge.condition;
}

function detailOf(node: TopologyNode): string {
  return node.ref === node.label ? '' : node.ref;
}

/** A topology of the spec compiler as the canvas draws it; nested workflows stand in their groups. */
export function graphOfTopology(topology: Topology): GraphModel {
  return {
    kind: topology.workflow_type ?? 'agent',
    nodes: topology.nodes.map((node) => ({
      id: node.id,
      label: node.label,
      kind: nodeKind(node.kind),
      detail: detailOf(node),
      start: node.start,
      disabled: !node.enabled,
      parent: node.group,
    })),
    edges: topology.edges.map((edge) => ({
      id: edge.id,
      source: edge.source,
      target: edge.target,
      label: edgeLabel(edge),
      conditional: edge.conditional || edge.kind === 'fallback',
    })),
    groups: topology.groups.map(({ id, label, node }) => ({ id, label, node })),
  };
}
