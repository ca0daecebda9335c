// Whole recorded workflows as the scheduler sees them.
import {
  createFlowShape,
  type FlowNode,
  type FlowShape,
  orderEdges,
} from '../../server/items/flow-shape.ts';
import { connectionsOf, type RecordedCase } from './n8n-runs.ts';

/** Steps have the names of the source's nodes as their keys. */
export function flowOf(of: RecordedCase): FlowShape {
  const { nodes, settings } = of.workflow;
  const order = settings?.executionOrder === 'v1' ? 'v1' : 'v0';
  const positions = new Map(nodes.map(({ name, position }) => [name, position]));
  const steps = nodes.map(
    (node): FlowNode => ({
      key: node.name,
      name: node.name,
      type: node.type,
      version: node.typeVersion,
      parameters: node.parameters,
      disabled: node.disabled === true,
      alwaysOutput: node.alwaysOutputData === true,
    }),
  );
  return createFlowShape(order, steps, orderEdges(positions, connectionsOf(of), order));
}
