import { named, type Placed, type PlacedStep, plainSteps } from '../schema/elements.ts';
import type { Spec, StepKind, Workflow } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, unknownName } from './finding.ts';

const TARGETS: Readonly<
  Record<
    StepKind,
    {
      code: string;
      map: keyof Spec['components'];
      what: 'agent' | 'function' | 'human' | 'workflow';
    }
  >
> = {
  agent: { code: 'E_STEP_AGENT_REF', map: 'agents', what: 'agent' },
  guardrail: { code: 'E_STEP_AGENT_REF', map: 'agents', what: 'agent' },
  function: { code: 'E_STEP_FUNCTION_REF', map: 'functions', what: 'function' },
  human: { code: 'E_STEP_HUMAN_REF', map: 'humans', what: 'human' },
  workflow: { code: 'E_STEP_WORKFLOW_REF', map: 'workflows', what: 'workflow' },
};

/** Workflow name → the component workflows that run it in an enabled step. */
function runnersOf(spec: Spec): Map<string, string[]> {
  const runners = new Map<string, string[]>();
  for (const [name, workflow] of Object.entries(spec.components.workflows)) {
    for (const step of plainSteps(workflow)) {
      if (!step.enabled || step.kind !== 'workflow') continue;
      const known = runners.get(step.ref);
      if (known === undefined) runners.set(step.ref, [name]);
      else known.push(name);
    }
  }
  return runners;
}

/** The names of component workflows that reach an enabled human step through nested workflows. */
export function workflowsWithHumans(spec: Spec): ReadonlySet<string> {
  const open = Object.entries(spec.components.workflows)
    .filter(([, item]) => plainSteps(item).some((step) => step.enabled && step.kind === 'human'))
    .map(([name]) => name);
  const found = new Set<string>();
  if (open.length === 0) return found;
  const runners = runnersOf(spec);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const runner of runners.get(name) ?? []) open.push(runner);
  }
  return found;
}

/** E_STEP_*_REF, E_STEP_WORKFLOW_SELF_REF and E_STEP_WORKFLOW_NESTED_HUMAN of one step (spec-v1 6). */
export function checkStepRef(
  spec: Spec,
  workflow: Placed<Workflow>,
  { step, path }: PlacedStep,
  withHumans: ReadonlySet<string>,
  findings: Diagnostic[],
): void {
  const { code, map, what } = TARGETS[step.kind];
  const at = `${path}.ref`;
  if (named<unknown>(spec.components[map], step.ref) === undefined) {
    const names = Object.keys(spec.components[map]);
    const missing = { kind: what, name: step.ref };
    const message = `There is no ${what} "${step.ref}" in components.${map}.`;
    const advice = meant(step.ref, names, `Declare it under components.${map}.`);
    findings.push(unknownName(code, at, missing, message, advice));
    return;
  }
  if (step.kind !== 'workflow') return;
  if (workflow.name === step.ref) {
    const message = `The workflow "${step.ref}" runs itself here and would never end.`;
    findings.push(fault('E_STEP_WORKFLOW_SELF_REF', at, message, 'Refer to another workflow.'));
  }
  if (step.enabled && withHumans.has(step.ref)) {
    const message = `The workflow "${step.ref}" has a human step, and a nested workflow cannot pause.`;
    const suggestion = 'Move the human step to the workflow that a run starts.';
    findings.push(fault('E_STEP_WORKFLOW_NESTED_HUMAN', at, message, suggestion));
  }
}
