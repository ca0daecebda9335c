import { named, workflowsOf } from '../schema/elements.ts';
import type { Condition, GraphWorkflow, Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault } from './finding.ts';

const KEYED: ReadonlySet<string> = new Set(['metadata_equals', 'variable_equals']);
const VALUED: ReadonlySet<string> = new Set([
  'output_contains',
  'output_equals',
  'status_is',
  'metadata_equals',
  'variable_equals',
]);

function checkCondition(condition: Condition, path: string, findings: Diagnostic[]): void {
  const { type } = condition;
  if (KEYED.has(type) && !condition.key) {
    const message = `The rule ${type} needs the name that it compares.`;
    findings.push(fault('E_CONDITION_KEY', `${path}.key`, message, 'Set key.'));
  }
  if (VALUED.has(type) && (condition.value ?? null) === null) {
    const message = `The rule ${type} needs a value to compare with.`;
    findings.push(fault('E_CONDITION_VALUE', `${path}.value`, message, 'Set value.'));
  }
  if (type === 'all_of' || type === 'any_of') {
    const children = condition.conditions ?? [];
    if (children.length === 0) {
      const message = `The rule ${type} holds no rules.`;
      findings.push(
        fault('E_CONDITION_CHILDREN', `${path}.conditions`, message, 'Add rules to conditions.'),
      );
    }
    children.forEach((child, index) => {
      checkCondition(child, `${path}.conditions[${index}]`, findings);
    });
  }
  if (type !== 'not') return;
  if (condition.condition) checkCondition(condition.condition, `${path}.condition`, findings);
  else {
    const message = 'The rule not has nothing to negate.';
    findings.push(fault('E_CONDITION_CHILD', `${path}.condition`, message, 'Set condition.'));
  }
}

function checkEdges(workflow: GraphWorkflow, path: string, findings: Diagnostic[]): void {
  const keys = Object.keys(workflow.nodes);
  workflow.edges.forEach((edge, index) => {
    const at = `${path}.edges[${index}]`;
    if (named(workflow.nodes, edge.from) === undefined) {
      const message = `The edge starts at "${edge.from}", which is no node.`;
      findings.push(fault('E_GRAPH_EDGE_FROM', at, message, meant(edge.from, keys, null)));
    }
    if (named(workflow.nodes, edge.to) === undefined) {
      const message = `The edge leads to "${edge.to}", which is no node.`;
      findings.push(fault('E_GRAPH_EDGE_TO', at, message, meant(edge.to, keys, null)));
    }
    if (edge.condition !== null) checkCondition(edge.condition, `${at}.condition`, findings);
  });
}

/** Family 5: limits, start, edges and conditions of graphs. */
export function checkGraphs(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of workflowsOf(spec)) {
    if (item.type !== 'graph') continue;
    if (item.max_steps < 1) {
      const message = `A graph must be allowed at least one step, found ${item.max_steps}.`;
      findings.push(
        fault('E_GRAPH_MAX_STEPS', `${path}.max_steps`, message, 'Set max_steps to 1 or more.'),
      );
    }
    if (named(item.nodes, item.start) === undefined) {
      const message = `The graph cannot begin: "${item.start}" is no node.`;
      const advice = meant(item.start, Object.keys(item.nodes), 'Set start to one of the nodes.');
      findings.push(fault('E_GRAPH_START', `${path}.start`, message, advice));
    }
    checkEdges(item, path, findings);
  }
}
