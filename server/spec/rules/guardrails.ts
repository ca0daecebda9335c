import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { nameOf } from '../schema/block.ts';
import { named } from '../schema/elements.ts';
import { VALUES } from '../schema/field-help.ts';
import type { Agent, Components } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, unknownName, warning } from './finding.ts';
import { isUnset, MAKE_LIST, readGuardrailConfig } from './guardrail-config.ts';

/** Where guardrails look (spec-v1 11.4). */
export type GuardrailStage = 'input' | 'output' | 'tool' | 'workflow';

/** What a guardrail does about what it finds (spec-v1 11.4). */
export type GuardrailAction =
  | 'block'
  | 'warn'
  | 'redact'
  | 'revise'
  | 'retry'
  | 'escalate'
  | 'human_review';

/** One check of a stage as its author wrote it, sound in every part. */
export interface GuardrailSetting {
  readonly id: string;
  readonly action: GuardrailAction;
  readonly check:
    | { readonly type: 'keyword'; readonly keywords: readonly string[] }
    | { readonly type: 'regex'; readonly patterns: readonly string[] }
    | { readonly type: 'function' | 'agent'; readonly ref: string };
}

const COMMON: readonly GuardrailAction[] = ['warn', 'block', 'retry', 'escalate', 'human_review'];

/** Actions that each guardrail stage honours (spec-v1 11.4). */
const GUARDRAIL_ACTIONS: Readonly<Record<GuardrailStage, readonly GuardrailAction[]>> = {
  input: COMMON,
  output: [...COMMON, 'revise'],
  tool: [...COMMON, 'revise', 'redact'],
  workflow: [...COMMON, 'revise', 'redact'],
};

const STAGES = Object.keys(GUARDRAIL_ACTIONS);

function isStage(name: string): name is GuardrailStage {
  return Object.hasOwn(GUARDRAIL_ACTIONS, name);
}

/** What may be referred to, and where findings go, while the guardrails of one agent are read. */
export interface GuardrailScope {
  readonly components: Pick<Components, 'agents' | 'functions'>;
  readonly findings: Diagnostic[];
}

function readWord(item: JsonObject, key: 'id' | 'type', path: string, scope: GuardrailScope) {
  const value = item[key];
  const at = `${path}.${key}`;
  if (value === undefined || isUnset(value)) {
    const message = `The guardrail has no ${key}.`;
    scope.findings.push(fault('E_GUARDRAIL_FIELDS', at, message, `Set ${key}.`));
    return undefined;
  }
  if (typeof value !== 'object') return String(value);
  const message = `The ${key} of a guardrail is text, found ${nameOf(value)}.`;
  scope.findings.push(fault('E_GUARDRAIL_FIELDS', at, message, `Write ${key} as text.`));
  return undefined;
}

function readType(item: JsonObject, path: string, scope: GuardrailScope) {
  const word = readWord(item, 'type', path, scope);
  const type = VALUES.guardrail.find((known) => known === word);
  if (word !== undefined && type === undefined) {
    const message = `There is no guardrail of the type "${word}".`;
    const advice = meant(word, VALUES.guardrail, `Use one of: ${VALUES.guardrail.join(', ')}.`);
    scope.findings.push(fault('E_GUARDRAIL_TYPE', `${path}.type`, message, advice));
  }
  return type;
}

function readAction(
  item: JsonObject,
  path: string,
  stage: GuardrailStage,
  scope: GuardrailScope,
): GuardrailAction | undefined {
  const { mode, action } = item;
  if (!isUnset(mode) && mode !== 'middleware') {
    const message = 'Guardrails run as middleware only.';
    scope.findings.push(
      fault('E_GUARDRAIL_MODE_UNSUPPORTED', `${path}.mode`, message, 'Remove mode.'),
    );
  }
  if (isUnset(action)) return 'block';
  const honoured = GUARDRAIL_ACTIONS[stage];
  const known = honoured.find((one) => one === action);
  if (known === undefined) {
    const message = `The stage ${stage} does not honour this action.`;
    const advice = `Use one of: ${honoured.join(', ')}.`;
    scope.findings.push(fault('E_GUARDRAIL_ACTION_UNSUPPORTED', `${path}.action`, message, advice));
  }
  return known;
}

function readRef(
  item: JsonObject,
  type: 'function' | 'agent',
  path: string,
  scope: GuardrailScope,
): string | undefined {
  const { ref } = item;
  const map = `${type}s` as const;
  const parts: Readonly<Record<string, unknown>> = scope.components[map];
  if (typeof ref === 'string' && ref !== '' && named(parts, ref) !== undefined) return ref;
  const at = `${path}.ref`;
  const otherwise = `Set ref to one of components.${map}.`;
  const advice = typeof ref === 'string' ? meant(ref, Object.keys(parts), otherwise) : otherwise;
  if (isUnset(ref)) {
    const message = `A check of the type ${type} needs ref, which names the ${type} that decides.`;
    scope.findings.push(fault('E_GUARDRAIL_REF', at, message, advice));
    return undefined;
  }
  const name = typeof ref === 'string' ? ref : nameOf(ref);
  const message = `There is no ${type} "${name}" in components.${map}.`;
  scope.findings.push(unknownName('E_GUARDRAIL_REF', at, { kind: type, name }, message, advice));
  return undefined;
}

function readItem(
  item: Json,
  path: string,
  stage: GuardrailStage,
  scope: GuardrailScope,
): GuardrailSetting | undefined {
  if (!isObject(item)) {
    const message = 'A guardrail is a mapping with id and type.';
    scope.findings.push(fault('E_GUARDRAIL_FIELDS', path, message, 'Write id, type and action.'));
    return undefined;
  }
  const id = readWord(item, 'id', path, scope);
  const type = readType(item, path, scope);
  const action = readAction(item, path, stage, scope);
  if (type === undefined) return undefined;
  const texts = readGuardrailConfig(item, type, path, scope.findings);
  if (type === 'function' || type === 'agent') {
    const ref = readRef(item, type, path, scope);
    if (id === undefined || action === undefined || ref === undefined) return undefined;
    return { id, action, check: { type, ref } };
  }
  if (id === undefined || action === undefined || texts === undefined) return undefined;
  const check = type === 'keyword' ? { type, keywords: texts } : { type, patterns: texts };
  return { id, action, check };
}

/** The checks of one stage; what cannot be applied is a finding and no check. */
export function readGuardrailStage(
  value: Json | undefined,
  path: string,
  stage: GuardrailStage,
  scope: GuardrailScope,
): GuardrailSetting[] {
  if (value === undefined || isUnset(value)) return [];
  if (!Array.isArray(value)) {
    const message = `The checks of a stage are a list, found ${nameOf(value)}.`;
    scope.findings.push(fault('E_GUARDRAIL_FIELDS', path, message, MAKE_LIST));
    return [];
  }
  return value.flatMap((item, index) => readItem(item, `${path}[${index}]`, stage, scope) ?? []);
}

/** A stage that nobody looks at: a mistyped one holds nothing back, so it is no small matter. */
function unknownStage(stage: string, path: string): Diagnostic {
  const close = meant(stage, STAGES, null);
  const message = `No stage is called "${stage}", so these checks look at nothing.`;
  if (close !== null) return fault('E_GUARDRAIL_FIELDS', path, message, close);
  const advice = `Move them to one of: ${STAGES.join(', ')}.`;
  return warning('W_GUARDRAIL_STAGE_IGNORED', path, message, advice);
}

/** Findings about the guardrails of an agent; `isRoot` for the root agent. */
export function checkGuardrails(
  agent: Agent,
  path: string,
  isRoot: boolean,
  scope: GuardrailScope,
): void {
  for (const [stage, value] of Object.entries(agent.guardrails ?? {})) {
    const at = `${path}.guardrails.${stage}`;
    if (!isStage(stage)) {
      if (typeof value === 'object' && !isUnset(value)) {
        scope.findings.push(unknownStage(stage, at));
      }
      continue;
    }
    readGuardrailStage(value, at, stage, scope);
    if (stage === 'workflow' && !isRoot && !isUnset(value)) {
      const message = 'Only the workflow checks of the root agent look at the steps of a workflow.';
      const advice = 'Move these checks to agent.guardrails.workflow.';
      scope.findings.push(warning('W_GUARDRAIL_STAGE_IGNORED', at, message, advice));
    }
  }
}
