import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { named, type Placed, type PlacedStep, stepsOf, workflowsOf } from '../schema/elements.ts';
import type {
  ConcurrentWorkflow,
  GraphWorkflow,
  GroupChatWorkflow,
  HandoffWorkflow,
  SequentialWorkflow,
  Spec,
  Step,
  Workflow,
} from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, warning } from './finding.ts';
import { checkStepRef, workflowsWithHumans } from './step-refs.ts';

type StepCheck = (placed: PlacedStep) => void;

function duplicate(code: string, { path, step }: PlacedStep): Diagnostic {
  return fault(
    code,
    `${path}.id`,
    `The id "${step.id}" is taken already.`,
    'Give each step an id of its own.',
  );
}

function sequentialFallback(
  { path, step }: PlacedStep,
  byId: ReadonlyMap<string, Step>,
): Diagnostic[] {
  const at = `${path}.fallback_ref`;
  if (step.fallback_ref === null) {
    if (step.on_error !== 'fallback') return [];
    const message = 'on_error is fallback, but no step is named to fall back to.';
    return [fault('E_STEP_FALLBACK_REF', at, message, 'Set fallback_ref to a step id.')];
  }
  const target = byId.get(step.fallback_ref);
  if (target === undefined) {
    const message = `There is no step "${step.fallback_ref}" in this workflow.`;
    return [
      fault('E_STEP_FALLBACK_UNKNOWN', at, message, meant(step.fallback_ref, byId.keys(), null)),
    ];
  }
  const found: Diagnostic[] = [];
  if (target.kind === 'human') {
    const message = `"${target.id}" is a human step; a fallback cannot pause.`;
    found.push(
      fault('E_STEP_FALLBACK_HUMAN', at, message, 'Fall back to an agent or function step.'),
    );
  }
  if (!target.enabled) {
    const message = `"${target.id}" is disabled, so a failure ends the run.`;
    found.push(warning('W_STEP_FALLBACK_DISABLED', at, message, 'Enable it or name another step.'));
  }
  return found;
}

function checkSequential(
  workflow: SequentialWorkflow,
  path: string,
  checkRef: StepCheck,
  findings: Diagnostic[],
): void {
  const byId = new Map<string, Step>();
  for (const step of workflow.steps) if (!byId.has(step.id)) byId.set(step.id, step);
  const seen = new Set<string>();
  for (const placed of stepsOf(workflow, path)) {
    if (seen.has(placed.step.id)) findings.push(duplicate('E_STEP_DUPLICATE_ID', placed));
    seen.add(placed.step.id);
    findings.push(...sequentialFallback(placed, byId));
    checkRef(placed);
  }
}

function graphFallback(workflow: GraphWorkflow, { path, step }: PlacedStep): Diagnostic[] {
  const at = `${path}.fallback_ref`;
  if (step.fallback_ref === null) {
    if (step.on_error !== 'fallback') return [];
    const message = 'on_error is fallback, but no node is named to fall back to.';
    return [fault('E_GRAPH_NODE_FALLBACK_REF', at, message, 'Set fallback_ref to a node.')];
  }
  const target = named(workflow.nodes, step.fallback_ref);
  if (target === undefined) {
    const message = `There is no node "${step.fallback_ref}" in this graph.`;
    const advice = meant(step.fallback_ref, Object.keys(workflow.nodes), null);
    return [fault('E_GRAPH_NODE_FALLBACK_UNKNOWN', at, message, advice)];
  }
  const found: Diagnostic[] = [];
  if (!target.enabled) {
    const message = `The node "${step.fallback_ref}" is disabled and cannot be fallen back to.`;
    found.push(
      fault('E_GRAPH_NODE_FALLBACK_DISABLED', at, message, 'Enable it or name another node.'),
    );
  }
  if (target.kind === 'human') {
    const message = `"${step.fallback_ref}" is a human node; a fallback cannot pause.`;
    found.push(
      fault('E_GRAPH_FALLBACK_HUMAN', at, message, 'Fall back to an agent or function node.'),
    );
  }
  return found;
}

/** Keys of the enabled nodes that a run can come to: over edges and fallbacks from the start. */
function reachable(workflow: GraphWorkflow): Set<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of workflow.edges) {
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const found = new Set<string>();
  const open = [workflow.start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const node = named(workflow.nodes, key);
    if (node === undefined || !node.enabled || found.has(key)) continue;
    found.add(key);
    for (const to of next.get(key) ?? []) open.push(to);
    if (node.fallback_ref !== null) open.push(node.fallback_ref);
  }
  return found;
}

function checkStart(workflow: GraphWorkflow, path: string, findings: Diagnostic[]): void {
  const start = named(workflow.nodes, workflow.start);
  if (start === undefined) {
    const message = `The start "${workflow.start}" is no node of this graph.`;
    const advice = meant(workflow.start, Object.keys(workflow.nodes), 'Name one of the nodes.');
    findings.push(fault('E_GRAPH_START_UNKNOWN', `${path}.start`, message, advice));
    return;
  }
  if (!start.enabled) {
    const message = `The start node "${workflow.start}" is disabled.`;
    const advice = 'Enable it or start at another node.';
    findings.push(fault('E_GRAPH_START_DISABLED', `${path}.start`, message, advice));
    return;
  }
  const reached = reachable(workflow);
  const lost = Object.keys(workflow.nodes).filter(
    (key) => !reached.has(key) && workflow.nodes[key]?.enabled === true,
  );
  for (const key of lost.sort(compareCodePoints)) {
    const message = `No way leads from "${workflow.start}" to the node "${key}".`;
    const advice = 'Add an edge to it, disable it or remove it.';
    findings.push(warning('W_GRAPH_NODE_UNREACHABLE', `${path}.nodes.${key}`, message, advice));
  }
}

function checkGraph(
  workflow: GraphWorkflow,
  path: string,
  checkRef: StepCheck,
  findings: Diagnostic[],
): void {
  for (const placed of stepsOf(workflow, path)) {
    const { key, step } = placed;
    if (step.id !== key) {
      const message = `The node "${key}" carries the id "${step.id}"; edges and start use "${key}".`;
      const advice = `Set its id to "${key}".`;
      findings.push(warning('W_GRAPH_NODE_ID_MISMATCH', `${placed.path}.id`, message, advice));
    }
    findings.push(...graphFallback(workflow, placed));
    checkRef(placed);
  }
  checkStart(workflow, path, findings);
}

type Orchestration = ConcurrentWorkflow | HandoffWorkflow | GroupChatWorkflow;

function checkParticipants(
  workflow: Orchestration,
  path: string,
  checkRef: StepCheck,
  findings: Diagnostic[],
): void {
  const seen = new Set<string>();
  for (const placed of stepsOf(workflow, path)) {
    const { step } = placed;
    if (seen.has(step.id)) findings.push(duplicate('E_PARTICIPANT_DUPLICATE_ID', placed));
    seen.add(step.id);
    if (step.on_error === 'fallback' || step.fallback_ref !== null) {
      const message = 'Participants cannot fall back to another one.';
      const advice = 'Use on_error fail, continue or retry, or a sequential or graph workflow.';
      const at = `${placed.path}.fallback_ref`;
      findings.push(fault('E_PARTICIPANT_FALLBACK_UNSUPPORTED', at, message, advice));
    }
    checkRef(placed);
  }
}

function checkHandoff(workflow: HandoffWorkflow, path: string, findings: Diagnostic[]): void {
  const ids = new Set(workflow.participants.map((step) => step.id));
  workflow.selector.sequence.forEach((id, index) => {
    if (ids.has(id)) return;
    const message = `There is no participant "${id}" in this workflow.`;
    const at = `${path}.selector.sequence[${index}]`;
    findings.push(fault('E_HANDOFF_SELECTOR_REF', at, message, meant(id, ids, null)));
  });
}

function checkOrchestration(
  workflow: Orchestration,
  path: string,
  checkRef: StepCheck,
  findings: Diagnostic[],
): void {
  checkParticipants(workflow, path, checkRef, findings);
  if (workflow.type === 'handoff') checkHandoff(workflow, path, findings);
  else if (workflow.type === 'concurrent') {
    const humans = workflow.participants.filter((step) => step.enabled && step.kind === 'human');
    if (humans.length > 1) {
      const message = 'A concurrent workflow can wait for one human step only.';
      const advice = 'Ask the others one after another, in a sequential or graph workflow.';
      const at = `${path}.participants`;
      findings.push(fault('E_ORCHESTRATION_MULTI_HUMAN_UNSUPPORTED', at, message, advice));
    }
  } else if (workflow.rounds < 1) {
    const message = `A group chat needs at least one round, found ${workflow.rounds}.`;
    findings.push(
      fault('E_GROUP_CHAT_ROUNDS', `${path}.rounds`, message, 'Set rounds to 1 or more.'),
    );
  }
}

/** Family 1 of spec-v1 6: ids, fallbacks, start, reachability, references of every workflow. */
export function checkWorkflows(spec: Spec, findings: Diagnostic[]): void {
  const withHumans = workflowsWithHumans(spec);
  for (const placed of workflowsOf(spec)) {
    checkWorkflow(
      placed,
      (step) => checkStepRef(spec, placed, step, withHumans, findings),
      findings,
    );
  }
}

function checkWorkflow(
  { item, path }: Placed<Workflow>,
  checkRef: StepCheck,
  findings: Diagnostic[],
): void {
  if (item.type === 'sequential') checkSequential(item, path, checkRef, findings);
  else if (item.type === 'graph') checkGraph(item, path, checkRef, findings);
  else checkOrchestration(item, path, checkRef, findings);
}
