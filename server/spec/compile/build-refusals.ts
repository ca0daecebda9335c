import { isObject } from '../../kernel/json.ts';
import { agentsOf, plainSteps, workflowsOf } from '../elements.ts';
import type { Agent, Spec } from '../spec-types.ts';

const GUARDRAIL_TYPES: ReadonlySet<unknown> = new Set(['keyword', 'regex', 'function', 'agent']);
const MEMORY_POLICIES: ReadonlySet<unknown> = new Set([
  'full',
  'sliding_window',
  'summary',
  'retrieval',
]);
const STAGES = ['input', 'output', 'tool', 'workflow'];

function unknownGuardrail(agent: Agent, path: string): string | undefined {
  for (const stage of STAGES) {
    const items = agent.guardrails?.[stage];
    if (!Array.isArray(items)) continue;
    const index = items.findIndex((item) => isObject(item) && !GUARDRAIL_TYPES.has(item['type']));
    if (index >= 0) {
      return `The guardrail ${path}.guardrails.${stage}[${index}] is of no known type; use keyword, regex, function or agent.`;
    }
  }
  return undefined;
}

function ofAgent(agent: Agent, path: string): string | undefined {
  if (agent.name === '') return `The agent ${path} has an empty name; name it.`;
  const policy = agent.memory?.['policy'];
  if (policy !== undefined && policy !== null && !MEMORY_POLICIES.has(policy)) {
    return `The memory policy of ${path} is not known; use full, sliding_window, summary or retrieval.`;
  }
  return unknownGuardrail(agent, path);
}

function dotless(spec: Spec): string | undefined {
  const uses: [string, string | null][] = [
    ...Object.entries(spec.tools).map(([name, tool]): [string, string | null] => [
      `tools.${name}`,
      tool.implementation,
    ]),
    ...Object.entries(spec.components.functions).map(([name, part]): [string, string] => [
      `components.functions.${name}`,
      part.implementation,
    ]),
  ];
  const found = uses.find(([, implementation]) => implementation?.includes('.') === false);
  return found && `The implementation of ${found[0]} needs the form module.name.`;
}

/**
 * What validates but cannot be built (spec-v1 4, 10, 11): no enabled step, an empty name, unknown
 * guardrail types and memory policies, implementations without a module. The first one, or undefined.
 */
export function buildRefusal(spec: Spec): string | undefined {
  const bad = dotless(spec);
  if (bad !== undefined) return bad;
  for (const { item, path } of agentsOf(spec)) {
    const found = ofAgent(item, path);
    if (found !== undefined) return found;
  }
  for (const { item, path } of workflowsOf(spec)) {
    if (!plainSteps(item).some((step) => step.enabled)) {
      return `The workflow ${path} has no enabled step; add one.`;
    }
  }
  return undefined;
}
