import { isObject } from '../../kernel/json.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { agentsOf } from '../elements.ts';
import type { Agent, Spec } from '../spec-types.ts';
import { fault } from './finding.ts';

const COMMON = ['warn', 'block', 'retry', 'escalate', 'human_review'];

/** Actions that each guardrail stage honours (spec-v1 11.4). */
export const GUARDRAIL_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  input: COMMON,
  output: [...COMMON, 'revise'],
  tool: [...COMMON, 'revise', 'redact'],
  workflow: [...COMMON, 'revise', 'redact'],
};

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function checkGuardrail(item: unknown, path: string, stage: string, findings: Diagnostic[]): void {
  if (!isObject(item)) {
    const message = 'A guardrail is a mapping with id and type.';
    findings.push(fault('E_GUARDRAIL_FIELDS', path, message, 'Write id, type and action.'));
    return;
  }
  for (const field of ['id', 'type']) {
    if (isGiven(item[field]) && item[field] !== '') continue;
    const message = `The guardrail has no ${field}.`;
    findings.push(fault('E_GUARDRAIL_FIELDS', `${path}.${field}`, message, `Set ${field}.`));
  }
  const { mode, action } = item;
  if (isGiven(mode) && mode !== 'middleware') {
    const message = 'Guardrails run as middleware only.';
    findings.push(fault('E_GUARDRAIL_MODE_UNSUPPORTED', `${path}.mode`, message, 'Remove mode.'));
  }
  const honoured = GUARDRAIL_ACTIONS[stage] ?? [];
  if (isGiven(action) && !honoured.some((one) => one === action)) {
    const message = `The stage ${stage} does not honour this action.`;
    const advice = `Use one of: ${honoured.join(', ')}.`;
    findings.push(fault('E_GUARDRAIL_ACTION_UNSUPPORTED', `${path}.action`, message, advice));
  }
}

function checkAgent(agent: Agent, path: string, findings: Diagnostic[]): void {
  const { memory } = agent;
  if (memory !== null && Object.keys(memory).length > 0 && !memory['policy']) {
    const message = 'The memory block does not say by which policy the history is cut.';
    const advice = 'Set policy to full, sliding_window, summary or retrieval.';
    findings.push(fault('E_MEMORY_POLICY_REQUIRED', `${path}.memory.policy`, message, advice));
  }
  for (const [stage, items] of Object.entries(agent.guardrails ?? {})) {
    if (!Array.isArray(items) || !Object.hasOwn(GUARDRAIL_ACTIONS, stage)) continue;
    items.forEach((item, index) => {
      checkGuardrail(item, `${path}.guardrails.${stage}[${index}]`, stage, findings);
    });
  }
}

/** Family 9: memory and guardrails of agents. */
export function checkAgentPolicies(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of agentsOf(spec)) checkAgent(item, path, findings);
}
