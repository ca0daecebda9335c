import { agentsOf } from '../schema/elements.ts';
import type { Agent, Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { fault } from './finding.ts';
import { checkGuardrails } from './guardrails.ts';

function checkMemory(agent: Agent, path: string, findings: Diagnostic[]): void {
  const { memory } = agent;
  if (memory !== null && Object.keys(memory).length > 0 && !memory['policy']) {
    const message = 'The memory block does not say by which policy the history is cut.';
    const advice = 'Set policy to full, sliding_window, summary or retrieval.';
    findings.push(fault('E_MEMORY_POLICY_REQUIRED', `${path}.memory.policy`, message, advice));
  }
}

/** Family 9: memory and guardrails of agents. */
export function checkAgentPolicies(spec: Spec, findings: Diagnostic[]): void {
  const scope = { components: spec.components, findings };
  for (const { item, path, name } of agentsOf(spec)) {
    checkMemory(item, path, findings);
    checkGuardrails(item, path, name === null, scope);
  }
}
