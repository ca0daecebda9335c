import { fault } from '../rules/finding.ts';
import { readMemory } from '../rules/memory.ts';
import { agentsOf, plainSteps, workflowsOf } from '../schema/elements.ts';
import type { Agent, Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';

function implementationFindings(spec: Spec): Diagnostic[] {
  const uses: [string, string | null][] = [];
  for (const [name, { implementation }] of Object.entries(spec.tools)) {
    uses.push([`tools.${name}.implementation`, implementation]);
  }
  for (const [name, { implementation }] of Object.entries(spec.components.functions)) {
    uses.push([`components.functions.${name}.implementation`, implementation]);
  }
  return uses
    .filter(([, implementation]) => implementation?.includes('.') === false)
    .map(([path]) => {
      const message = 'An implementation names a module and something in it.';
      return fault('E_IMPLEMENTATION_PATH', path, message, 'Write it as module.name.');
    });
}

function numberFindings({ strategy, model }: Agent, path: string): Diagnostic[] {
  const findings: Diagnostic[] = [];
  const iterations = strategy?.max_iterations ?? 1;
  if (iterations < 1) {
    const message = `An agent calls its model at least once, found ${iterations}.`;
    const at = `${path}.strategy.max_iterations`;
    findings.push(fault('E_AGENT_NUMBER', at, message, 'Set max_iterations to 1 or more.'));
  }
  const temperature = model?.temperature ?? 0;
  if (temperature < 0) {
    const message = `A temperature is 0 or more, found ${temperature}.`;
    const at = `${path}.model.temperature`;
    findings.push(fault('E_AGENT_NUMBER', at, message, 'Set temperature to 0 or more.'));
  }
  return findings;
}

function agentFindings(spec: Spec): Diagnostic[] {
  return agentsOf(spec).flatMap(({ item, path }) => {
    const findings: Diagnostic[] = [];
    if (item.name === '') {
      const message = 'An agent with an empty name cannot be built.';
      findings.push(fault('E_AGENT_NAME', `${path}.name`, message, 'Name it.'));
    }
    readMemory(item, path, spec.components, findings);
    return [...findings, ...numberFindings(item, path)];
  });
}

function workflowFindings(spec: Spec): Diagnostic[] {
  return workflowsOf(spec)
    .filter(({ item }) => !plainSteps(item).some((step) => step.enabled))
    .map(({ path }) => {
      const message = 'A workflow without an enabled step has nothing to run.';
      return fault('E_WORKFLOW_EMPTY', path, message, 'Add a step, or enable one.');
    });
}

/**
 * What validates but cannot be built (spec-v1 4, 10, 11): implementations without a module, empty
 * names, memories that cannot be applied, numbers out of bounds, workflows without an enabled step.
 */
export function buildFindings(spec: Spec): Diagnostic[] {
  return [...implementationFindings(spec), ...agentFindings(spec), ...workflowFindings(spec)];
}
