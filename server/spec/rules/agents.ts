import { isObject } from '../../kernel/json.ts';
import { agentsOf, named, type Placed } from '../schema/elements.ts';
import type { Agent, RuntimeMode, Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, unknownName, warning } from './finding.ts';

/** Family 2: the tools that agents select. */
export function checkToolSelections(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of agentsOf(spec)) {
    if (item.tools === null) continue;
    const excluded = new Set(item.tools.exclude);
    const both = [...new Set(item.tools.include)].filter((name) => excluded.has(name));
    if (both.length > 0) {
      const message = `Both included and excluded: ${both.join(', ')}.`;
      findings.push(
        fault('E_TOOL_CONFLICT', `${path}.tools`, message, 'Keep each name in one list.'),
      );
    }
    for (const name of item.tools.include) {
      if (named(spec.tools, name) !== undefined) continue;
      const advice = meant(name, Object.keys(spec.tools), 'Declare it under tools.');
      const message = `There is no tool "${name}".`;
      const missing = { kind: 'tool', name } as const;
      findings.push(unknownName('E_TOOL_REF', `${path}.tools`, missing, message, advice));
    }
  }
}

/** Family 3: the skills that agents name. */
export function checkSkillRefs(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of agentsOf(spec)) {
    for (const name of item.skills) {
      if (named(spec.skills, name) !== undefined) continue;
      const advice = meant(name, Object.keys(spec.skills), 'Declare it under skills.');
      const message = `There is no skill "${name}".`;
      const missing = { kind: 'skill', name } as const;
      findings.push(unknownName('E_SKILL_REF', `${path}.skills`, missing, message, advice));
    }
  }
}

function notAllowed(
  code: string,
  path: string,
  mode: RuntimeMode | null,
  allowed: readonly RuntimeMode[] | null,
): Diagnostic[] {
  if (mode === null || allowed === null || allowed.includes(mode)) return [];
  const message = `The mode "${mode}" is not among allowed_modes.`;
  return [
    fault(code, path, message, `Allow it, or choose one of: ${allowed.join(', ') || 'none'}.`),
  ];
}

/** Family 4: runtime preferences. */
export function checkRuntimePreferences(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of agentsOf(spec)) {
    const preferences = item.runtime_preferences;
    if (preferences === null) continue;
    const at = `${path}.runtime_preferences`;
    const { preferred_mode, fallback_mode, allowed_modes } = preferences;
    findings.push(
      ...notAllowed(
        'E_RUNTIME_PREFERRED_NOT_ALLOWED',
        `${at}.preferred_mode`,
        preferred_mode,
        allowed_modes,
      ),
      ...notAllowed(
        'E_RUNTIME_FALLBACK_NOT_ALLOWED',
        `${at}.fallback_mode`,
        fallback_mode,
        allowed_modes,
      ),
    );
    if (preferred_mode === 'native' && !preferences.native_provider) {
      const message = 'Native mode is preferred, but no provider is named for it.';
      const place = `${at}.native_provider`;
      findings.push(warning('W_RUNTIME_NATIVE_PROVIDER', place, message, 'Set native_provider.'));
    }
    if (preferred_mode === 'adapter' && !preferences.adapter_ref) {
      const message = 'Adapter mode is preferred, but no adapter is named.';
      const place = `${at}.adapter_ref`;
      findings.push(warning('W_RUNTIME_ADAPTER_REF', place, message, 'Set adapter_ref.'));
    }
  }
}

/** Family 6: looping agents without a model. */
export function checkAgentModels(spec: Spec, findings: Diagnostic[]): void {
  for (const { item, path } of agentsOf(spec)) {
    const type = item.strategy?.type;
    if ((type !== 'react' && type !== 'plan-act') || item.model !== null) continue;
    const message = `The strategy ${type} calls a model, but the agent names none.`;
    findings.push(warning('W_AGENT_MODEL', `${path}.model`, message, 'Set model.'));
  }
}

const EXCLUDED_BESIDE_WORKFLOW = [
  'model',
  'strategy',
  'runtime_preferences',
  'tools',
  'skills',
  'memory',
  'guardrails',
  'history',
  'middleware',
  'defaults',
] as const;

const OPEN_FIELDS: ReadonlySet<string> = new Set(['memory', 'guardrails', 'history', 'defaults']);

function isPresent(agent: Agent, field: (typeof EXCLUDED_BESIDE_WORKFLOW)[number]): boolean {
  const value = agent[field];
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !(OPEN_FIELDS.has(field) && isObject(value) && Object.keys(value).length === 0);
}

function checkAsAgent(spec: Spec, { item, path }: Placed<Agent>, findings: Diagnostic[]): void {
  if (item.as_agent === null) return;
  const present = EXCLUDED_BESIDE_WORKFLOW.filter((field) => isPresent(item, field));
  if (present.length > 0) {
    const message = `An agent that is a workflow has no fields of its own: ${present.join(', ')}.`;
    findings.push(fault('E_AS_AGENT_FIELDS', path, message, 'Remove these fields or as_agent.'));
  }
  if (named(spec.components.workflows, item.as_agent) === undefined) {
    const names = Object.keys(spec.components.workflows);
    const message = `There is no workflow "${item.as_agent}" in components.workflows.`;
    const advice = meant(item.as_agent, names, 'Declare it under components.workflows.');
    const missing = { kind: 'workflow', name: item.as_agent } as const;
    const at = `${path}.as_agent`;
    findings.push(unknownName('E_AS_AGENT_UNKNOWN_WORKFLOW', at, missing, message, advice));
  }
}

/** Family 11: agents that are workflows. */
export function checkAsAgents(spec: Spec, findings: Diagnostic[]): void {
  for (const placed of agentsOf(spec)) checkAsAgent(spec, placed, findings);
}
