import { isObject, type Json } from '../../kernel/json.ts';
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

function badGuardrail(spec: Spec, item: Json, path: string): string | undefined {
  if (!isObject(item)) return undefined;
  const { type, ref } = item;
  if (!GUARDRAIL_TYPES.has(type)) {
    return `The guardrail ${path} is of no known type; use keyword, regex, function or agent.`;
  }
  if (type !== 'function' && type !== 'agent') return undefined;
  const components = type === 'agent' ? spec.components.agents : spec.components.functions;
  if (typeof ref === 'string' && Object.hasOwn(components, ref)) return undefined;
  return `The guardrail ${path} names no known ${type}; set ref to one of components.${type}s.`;
}

function badGuardrails(spec: Spec, agent: Agent, path: string): string | undefined {
  for (const stage of STAGES) {
    const items = agent.guardrails?.[stage];
    if (!Array.isArray(items)) continue;
    for (const [index, item] of items.entries()) {
      const found = badGuardrail(spec, item, `${path}.guardrails.${stage}[${index}]`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function badMemory(spec: Spec, agent: Agent, path: string): string | undefined {
  const policy = agent.memory?.['policy'];
  if (policy === undefined || policy === null) return undefined;
  if (!MEMORY_POLICIES.has(policy)) {
    return `The memory policy of ${path} is not known; use full, sliding_window, summary or retrieval.`;
  }
  if (policy !== 'summary' && policy !== 'retrieval') return undefined;
  const key = policy === 'summary' ? 'summarizer' : 'retriever';
  const part = agent.memory?.[key];
  const ref = isObject(part) ? part['ref'] : undefined;
  const { functions, agents } = spec.components;
  const known =
    typeof ref === 'string' &&
    (Object.hasOwn(functions, ref) || (policy === 'summary' && Object.hasOwn(agents, ref)));
  return known ? undefined : `The memory of ${path} names no known ${key}; set ${key}.ref.`;
}

function ofAgent(spec: Spec, agent: Agent, path: string): string | undefined {
  if (agent.name === '') return `The agent ${path} has an empty name; name it.`;
  return badMemory(spec, agent, path) ?? badGuardrails(spec, agent, path);
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
 * guardrail types, memory policies and what they name, implementations without a module. The first one, or undefined.
 */
export function buildRefusal(spec: Spec): string | undefined {
  const bad = dotless(spec);
  if (bad !== undefined) return bad;
  for (const { item, path } of agentsOf(spec)) {
    const found = ofAgent(spec, item, path);
    if (found !== undefined) return found;
  }
  for (const { item, path } of workflowsOf(spec)) {
    if (!plainSteps(item).some((step) => step.enabled)) {
      return `The workflow ${path} has no enabled step; add one.`;
    }
  }
  return undefined;
}
