import type { Graph, Loss, Node } from '../../graph-ir.ts';
import { findHiddenSecrets } from '../../hidden-secrets.ts';
import { isStep } from '../../lowering/step-nodes.ts';
import type { DifyNode } from '../document.ts';
import { runLosses } from '../run-settings.ts';
import type { DifyProfile } from '../scene.ts';
import { extendedConfigApp } from './config-app.ts';
import { extendedRoleOf } from './roles.ts';

function withStatus(node: Node): Node {
  if (!isStep(node)) return node;
  const outputs = node.outputs.map((output) =>
    output.role === 'error'
      ? { ...output, condition: { type: 'status_is' as const, value: 'failed' } }
      : output,
  );
  return { ...node, outputs };
}

function carriedRunLosses(node: DifyNode, wiredFailure: boolean): Loss[] {
  return runLosses(node, wiredFailure).map((loss) => {
    if (node.data.get('error_strategy') === 'default-value') return loss;
    const todo = 'Check what the step does on a failure.';
    const detail = `${loss.detail} The step has it as far as a step can.`;
    return { ...loss, kind: 'carried_as', severity: 'manual', detail, todo };
  });
}

/** Answers that need nothing: the last text of the run is what they give. */
function plainAnswers(graph: Graph): Loss[] {
  const named = new Set(graph.losses.map((loss) => loss.ref.source_id));
  const fed = new Set(graph.connections.map((connection) => connection.target));
  return graph.waypoints
    .filter((waypoint) => !named.has(waypoint.id))
    .map(({ id, ref }) => {
      const detail = fed.has(id)
        ? `"${ref.source_label}" answers with the last text of the run, as the draft does.`
        : `"${ref.source_label}" is connected to nothing before it, so it never answers.`;
      return { ref, kind: 'carried_as', severity: 'info', detail, todo: 'Nothing to do.' };
    });
}

/** The extended conversion of Dify apps: a place in the draft for every element (importers 14). */
export const EXTENDED_PROFILE: DifyProfile = {
  roleOf: extendedRoleOf,
  runLosses: carriedRunLosses,
  finish: (graph) => ({
    ...graph,
    nodes: graph.nodes.map(withStatus),
    losses: [...graph.losses, ...plainAnswers(graph)],
  }),
  configApp: extendedConfigApp,
  hiddenSecrets: findHiddenSecrets,
};
