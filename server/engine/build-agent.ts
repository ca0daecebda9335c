import { findingText } from '../spec/compile/compile.ts';
import {
  checkGuardrails,
  type GuardrailSetting,
  type GuardrailStage,
  readGuardrailStage,
} from '../spec/rules/guardrails.ts';
import { type MemorySetting, readMemory } from '../spec/rules/memory.ts';
import type { Agent, Spec } from '../spec/schema/spec-types.ts';
import type { Diagnostic } from '../spec/values/diagnostic.ts';
import type { RuntimeBinding } from './effect.ts';
import { keywordLook, patternLook } from './guard-check.ts';
import { own } from './own.ts';
import {
  BuildFailure,
  type Guardrail,
  type GuardrailCheck,
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

function checkOf(check: GuardrailSetting['check']): GuardrailCheck {
  if (check.type === 'keyword') return { type: 'keyword', looks: check.keywords.map(keywordLook) };
  if (check.type === 'regex') return { type: 'regex', looks: check.patterns.map(patternLook) };
  return check;
}

/** The guardrails of one stage that can be applied (spec-v1 11.4). */
export function guardrailsOf(
  spec: Spec,
  agent: Agent,
  path: string,
  stage: GuardrailStage,
): Guardrail[] {
  const scope = { components: spec.components, findings: [] };
  const at = `${path}.guardrails.${stage}`;
  const settings = readGuardrailStage(agent.guardrails?.[stage], at, stage, scope);
  return settings.map(({ id, action, check }) => ({ id, action, check: checkOf(check) }));
}

/** A check that looks at nothing lets everything pass, so no program is made with one (decisions 49). */
function refuseUnusableGuardrails(spec: Spec, agent: Agent, key: string, path: string): void {
  const findings: Diagnostic[] = [];
  checkGuardrails(agent, path, key === '', { components: spec.components, findings });
  const first = findings.find(({ severity }) => severity === 'error');
  if (first !== undefined) throw new BuildFailure('SpecCompilationError', findingText(first));
}

function memoryOf(spec: Spec, agent: Agent, path: string): MemorySetting | null {
  const findings: Diagnostic[] = [];
  const memory = readMemory(agent, path, spec.components, findings);
  const [first] = findings;
  if (first === undefined) return memory;
  throw new BuildFailure('ValueError', findingText(first));
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
  refuseUnusableGuardrails(spec, agent, key, path);
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
    memory: memoryOf(spec, agent, path),
    input_guardrails: guardrailsOf(spec, agent, path, 'input'),
    output_guardrails: guardrailsOf(spec, agent, path, 'output'),
    tool_guardrails: guardrailsOf(spec, agent, path, 'tool'),
    tools: [...new Set(agent.tools?.include ?? [])].filter((name) => !exclude.includes(name)),
    tool_policy: policyOf(agent),
  };
}
