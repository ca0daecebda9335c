import { isObject, type Json, type JsonObject } from '../kernel/json.ts';
import type { Agent, Spec } from '../spec/spec-types.ts';
import type { RuntimeBinding } from './effect.ts';
import { keywordLook, patternLook } from './guard-check.ts';
import { own } from './own.ts';
import {
  BuildFailure,
  type Guardrail,
  type GuardrailAction,
  type GuardrailCheck,
  type GuardrailStage,
  type MemoryPolicy,
  type ProgramAgent,
  type ProgramOptions,
  type ToolPolicy,
} from './program.ts';

/** The offline runtime as a binding (spec-v1 11.2). */
function offlineBinding(warning: string | null = null): RuntimeBinding {
  return {
    provider: 'offline',
    model: null,
    runtime_mode: 'bridge',
    sdk: 'dummy',
    warning,
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

const ACTIONS: readonly GuardrailAction[] = [
  'block',
  'warn',
  'redact',
  'revise',
  'retry',
  'escalate',
  'human_review',
];

function checkOf(spec: Spec, id: string, item: Record<string, unknown>): GuardrailCheck {
  const config = isObject(item['config']) ? item['config'] : {};
  const ref = typeof item['ref'] === 'string' ? item['ref'] : '';
  switch (item['type']) {
    case 'keyword':
      return { type: 'keyword', looks: texts(config['keywords']).map(keywordLook) };
    case 'regex':
      return { type: 'regex', looks: texts(config['patterns']).map((raw) => usable(id, raw)) };
    case 'function':
      if (Object.hasOwn(spec.components.functions, ref)) return { type: 'function', ref };
      throw new BuildFailure(
        'ValueError',
        `Guardrail '${id}' names the unknown function '${ref}'.`,
      );
    case 'agent':
      if (Object.hasOwn(spec.components.agents, ref)) return { type: 'agent', ref };
      throw new BuildFailure('ValueError', `Guardrail '${id}' names the unknown agent '${ref}'.`);
    default:
      throw new BuildFailure(
        'ValueError',
        `Guardrail '${id}' has the unsupported type '${String(item['type'])}'.`,
      );
  }
}

function usable(id: string, text: string) {
  try {
    return patternLook(text);
  } catch {
    throw new BuildFailure(
      'ValueError',
      `Guardrail '${id}' has a pattern that is no regular expression: ${text}`,
    );
  }
}

/** The guardrails of one stage (spec-v1 11.4). */
export function guardrailsOf(spec: Spec, agent: Agent, stage: GuardrailStage): Guardrail[] {
  const list = agent.guardrails?.[stage];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: Json) => {
    if (!isObject(item)) return [];
    const id = String(item['id']);
    const action = ACTIONS.find((known) => known === (item['action'] ?? 'block'));
    if (action === undefined) {
      throw new BuildFailure('ValueError', `Guardrail '${id}' has an unsupported action.`);
    }
    return { id, action, check: checkOf(spec, id, item) };
  });
}

function refOf(memory: JsonObject, key: string): string {
  const holder = memory[key];
  const ref = isObject(holder) ? holder['ref'] : undefined;
  if (typeof ref === 'string') return ref;
  throw new BuildFailure(
    'ValueError',
    `Memory policy '${String(memory['policy'])}' needs ${key}.ref.`,
  );
}

function whole(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : fallback;
}

function memoryOf(spec: Spec, agent: Agent): MemoryPolicy | null {
  const { memory } = agent;
  if (memory === null || Object.keys(memory).length === 0) return null;
  switch (memory['policy']) {
    case 'full':
      return { policy: 'full' };
    case 'sliding_window':
      return {
        policy: 'sliding_window',
        max_messages: whole(memory['max_messages'], 20),
        keep_system: memory['preserve_system_messages'] !== false,
      };
    case 'summary':
      return { policy: 'summary', ...summarizerOf(spec, refOf(memory, 'summarizer')) };
    case 'retrieval':
      return {
        policy: 'retrieval',
        ref: knownFunction(spec, refOf(memory, 'retriever')),
        top_k: whole(memory['top_k'], 5),
      };
    default:
      throw new BuildFailure(
        'ValueError',
        `Memory policy '${String(memory['policy'])}' is unknown.`,
      );
  }
}

function knownFunction(spec: Spec, ref: string): string {
  if (Object.hasOwn(spec.components.functions, ref)) return ref;
  throw new BuildFailure('ValueError', `Memory names the unknown function '${ref}'.`);
}

function summarizerOf(spec: Spec, ref: string) {
  if (Object.hasOwn(spec.components.functions, ref)) return { ref, by: 'function' } as const;
  if (Object.hasOwn(spec.components.agents, ref)) return { ref, by: 'agent' } as const;
  throw new BuildFailure('ValueError', `Memory names the unknown summarizer '${ref}'.`);
}

function promptOf(agent: Agent, skills: Readonly<Record<string, string>>): string | null {
  const parts = [agent.system_prompt ?? '', ...agent.skills.map((name) => own(skills, name) ?? '')];
  const filled = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (agent.skills.length === 0) return agent.system_prompt;
  return filled.length === 0 ? null : filled.join('\n\n');
}

function policyOf(agent: Agent): ToolPolicy | null {
  if (agent.tools === null) return null;
  return {
    include: agent.tools.include,
    exclude: agent.tools.exclude,
    allowed_domains: agent.tools.permissions?.allowed_domains ?? [],
    denied_domains: agent.tools.permissions?.denied_domains ?? [],
  };
}

function appendModeOf(agent: Agent): ProgramAgent['append_mode'] {
  const mode = agent.defaults['append_mode'] ?? '';
  if (mode === '' || mode === 'auto') return 'auto';
  // A word that nobody knows keeps nothing, so that no history is sent by mistake.
  return mode === 'user_only' || mode === 'assistant_only' ? mode : 'never';
}

function checkedNumbers(agent: Agent): { max_iterations: number; temperature: number } {
  const max_iterations = agent.strategy?.max_iterations ?? 10;
  const temperature = agent.model?.temperature ?? 0.7;
  if (max_iterations < 1) {
    throw new BuildFailure(
      'ValueError',
      `Agent '${agent.name}': max_iterations must be at least 1.`,
    );
  }
  if (!Number.isFinite(temperature) || temperature < 0) {
    throw new BuildFailure('ValueError', `Agent '${agent.name}': temperature must be 0 or more.`);
  }
  return { max_iterations, temperature };
}

function checkRefs(spec: Spec, agent: Agent): void {
  const workflow = agent.as_agent;
  if (workflow !== null && !Object.hasOwn(spec.components.workflows, workflow)) {
    throw new BuildFailure(
      'SpecCompilationError',
      `Agent '${agent.name}' stands for the unknown workflow '${workflow}'.`,
    );
  }
  const missing = agent.tools?.include.find((name) => !Object.hasOwn(spec.tools, name));
  if (missing !== undefined) {
    throw new BuildFailure(
      'SpecCompilationError',
      `Agent '${agent.name}' selects the unknown tool '${missing}'.`,
    );
  }
}

/** One agent ready to be called. `path` is where the spec declares it. */
export function buildAgent(
  spec: Spec,
  agent: Agent,
  key: string,
  path: string,
  options: ProgramOptions,
): ProgramAgent {
  if (agent.name === '') throw new BuildFailure('ValueError', `The agent at ${path} has no name.`);
  checkRefs(spec, agent);
  const budget = agent.model?.token_budget ?? null;
  const exclude = agent.tools?.exclude ?? [];
  return {
    key,
    name: agent.name,
    as_agent: agent.as_agent,
    strategy: agent.strategy?.type ?? 'simple',
    ...checkedNumbers(agent),
    system_prompt: promptOf(agent, options.skills ?? {}),
    binding: options.bind?.(agent, path) ?? offlineBinding(),
    model: agent.model,
    timeout_seconds: agent.model?.timeout_seconds ?? null,
    token_budget: budget,
    append_mode: appendModeOf(agent),
    memory: memoryOf(spec, agent),
    input_guardrails: guardrailsOf(spec, agent, 'input'),
    output_guardrails: guardrailsOf(spec, agent, 'output'),
    tool_guardrails: guardrailsOf(spec, agent, 'tool'),
    tools: [...new Set(agent.tools?.include ?? [])].filter((name) => !exclude.includes(name)),
    tool_policy: policyOf(agent),
  };
}
