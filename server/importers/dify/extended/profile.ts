import type { Graph, Loss, Node } from '../../graph-ir.ts';
import { findHiddenSecrets } from '../../hidden-secrets.ts';
import { isStep } from '../../lowering/step-nodes.ts';
import { at } from '../../value.ts';
import type { DifyNode } from '../document.ts';
import { withFormFlow } from '../items/config-flow.ts';
import { itemGraph } from '../items/flow.ts';
import { hasFailBranch, runLosses } from '../run-settings.ts';
import type { DifyProfile } from '../scene.ts';
import { extendedConfigApp } from './config-app.ts';
import { extendedRoleOf, isPassed } from './roles.ts';

function withStatus(node: Node): Node {
  if (!isStep(node)) return node;
  const outputs = node.outputs.map((output) =>
    output.role === 'error'
      ? { ...output, condition: { type: 'status_is' as const, value: 'failed' } }
      : output,
  );
  return { ...node, outputs };
}

function carried(node: DifyNode, detail: string, todo: string): Loss {
  return { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

function retryLoss(node: DifyNode): Loss {
  const retries = at(node.data.get('retry_config'), 'max_retries');
  const count = typeof retries === 'number' ? `up to ${retries} times` : 'several times';
  const detail = `"${node.title}" is tried again after a failure, ${count}; in the draft retries come without a pause.`;
  return carried(node, detail, 'Check that this is what is meant.');
}

/** Failure routes and retries of a step; what is no step of the draft has neither. */
function carriedRunLosses(node: DifyNode, wiredFailure: boolean): Loss[] {
  const plain = runLosses(node, wiredFailure);
  const isRetried = at(node.data.get('retry_config'), 'retry_enabled') === true;
  if (isPassed(node) || node.data.get('error_strategy') === 'default-value') return plain;
  const out: Loss[] = [];
  if (wiredFailure) {
    const detail = `Failures of "${node.title}" take a route of their own; in the draft the edge has the condition that the step failed.`;
    const todo = 'Check the route; the text that arrives there is the input of the failed step.';
    out.push(carried(node, detail, todo));
  } else if (hasFailBranch(node)) {
    const detail = `Failures of "${node.title}" go to an output that leads nowhere; in the draft the step goes on after a failure as if there was none.`;
    out.push(carried(node, detail, 'Check that this is what is meant.'));
  }
  return isRetried ? [...out, retryLoss(node)] : out;
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
  flow: itemGraph,
  formFlow: withFormFlow,
  configApp: extendedConfigApp,
  hiddenSecrets: findHiddenSecrets,
  keepsPlaceholders: true,
};
