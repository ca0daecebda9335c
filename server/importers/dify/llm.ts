import type {
  AgentPayload,
  Field,
  Loss,
  ModelCallPayload,
  Setting,
  Tool,
  ToolKind,
} from '../graph-ir.ts';
import { describe } from '../n8n/expressions.ts';
import { setting } from '../n8n/models.ts';
import { at, listOf, mapOf, textOf, type Value } from '../value.ts';
import type { DifyNode } from './document.ts';
import { isEmpty, readModel } from './models.ts';
import type { DifyScene } from './scene.ts';
import { fieldBy, graphRule, readPrompt, selectorField } from './texts.ts';

const READ_PROVIDER = 'langgenius/agent/agent';
const READ_STRATEGIES: ReadonlySet<string> = new Set(['function_calling', 'ReAct']);
const DEFAULT_ITERATIONS = 3;
const AGENT_OWN: ReadonlySet<string> = new Set([
  'instruction',
  'query',
  'model',
  'tools',
  'maximum_iterations',
  'memory',
]);
const MODEL_KEYS: ReadonlySet<string> = new Set(['provider', 'name', 'mode', 'completion_params']);

type Selected = { readonly model: Value | undefined; readonly broken: boolean };

function selectedModel(node: DifyNode, scene: DifyScene): Selected {
  const own = node.data.get('model');
  const selector = listOf(node.data.get('model_selector'));
  if (selector[0] !== 'env') return { model: own, broken: false };
  const variable = scene.doc.environment.find(
    (item) => item.get('name') === selector[1] && item.get('value_type') === 'llm',
  );
  const value = variable?.get('value');
  const mode = at(value, 'mode');
  const usable =
    value instanceof Map &&
    selector.length === 2 &&
    [...value.keys()].every((key) => MODEL_KEYS.has(key)) &&
    (mode === 'chat' || mode === 'completion') &&
    mode === at(own, 'mode');
  return usable ? { model: value, broken: false } : { model: own, broken: true };
}

function llmSettings(data: ReadonlyMap<string, Value>): Setting[] {
  const out: Setting[] = [];
  if (at(data.get('context'), 'enabled') === true) out.push(setting('context', true, null));
  if (at(data.get('vision'), 'enabled') === true) out.push(setting('vision', true, null));
  const shape = data.get('structured_output');
  const enabled = data.get('structured_output_enabled');
  if (enabled === true || (!isEmpty(shape) && enabled !== false)) {
    out.push(setting('structured_output', shape ?? true, null));
  }
  return out;
}

/** Reads an `llm` node (importers 5.4). */
export function readLlm(node: DifyNode, scene: DifyScene): ModelCallPayload {
  const model = readModel(selectedModel(node, scene).model);
  const texts = readPrompt(node.data.get('prompt_template'), graphRule);
  const others = texts.others.map(([i, text]) => setting(`prompt_template[${i}]`, text, null));
  return {
    model: model.field,
    prompt: texts.prompt,
    runInput: texts.runInput,
    settings: [...model.settings, ...llmSettings(node.data), ...others],
  };
}

/** Reads a `parameter-extractor` node (importers 5.4). */
export function readExtractor(node: DifyNode): ModelCallPayload {
  const { data } = node;
  const model = readModel(data.get('model'));
  const settings = [...model.settings];
  for (const key of ['parameters', 'reasoning_mode']) {
    const value = data.get(key);
    if (value !== undefined && !isEmpty(value)) settings.push(setting(key, value, null));
  }
  if (at(data.get('vision'), 'enabled') === true) settings.push(setting('vision', true, null));
  return {
    model: model.field,
    prompt: fieldBy(graphRule, data.get('instruction')),
    runInput: selectorField(data.get('query')),
    settings,
  };
}

function memoryLoss(node: DifyNode, scene: DifyScene, value: Value | undefined): Loss[] {
  if (scene.doc.mode !== 'advanced-chat' || isEmpty(value)) return [];
  const detail = `"${node.title}" remembers the conversation.`;
  return [{ ref: node.ref, kind: 'memory', detail }];
}

/** Losses of a node that calls a model, beside those of its settings. */
export function llmLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const losses: Loss[] = [];
  if (node.type === 'llm' && selectedModel(node, scene).broken) {
    const detail = `"${node.title}" takes its model from a variable that is missing or of another form.`;
    losses.push({ ref: node.ref, kind: 'source_cannot_run', detail });
  }
  return [...losses, ...memoryLoss(node, scene, node.data.get('memory'))];
}

function parameterField(value: Value | undefined): Field<string> {
  const inner = at(value, 'value');
  if (at(value, 'type') !== 'variable') return fieldBy(graphRule, inner);
  if (Array.isArray(inner)) return selectorField(inner);
  const display = textOf(inner) ?? '';
  return { state: 'unresolved', cause: 'expression', display, embedded: false };
}

function boundField(value: Value | undefined, read: boolean): Field<number> {
  const inner = at(value, 'value');
  if (typeof inner === 'number' && Number.isInteger(inner)) {
    return { state: 'resolved', value: inner, provenance: 'authored' };
  }
  if (typeof inner === 'string' && /^\d+$/.test(inner)) {
    return { state: 'resolved', value: Number(inner), provenance: 'authored' };
  }
  if (!isEmpty(inner)) {
    const cause = at(value, 'type') === 'variable' ? 'expression' : 'unmapped';
    return { state: 'unresolved', cause, display: describe(inner ?? null), embedded: false };
  }
  if (!read) return { state: 'absent' };
  return { state: 'resolved', value: DEFAULT_ITERATIONS, provenance: 'source_default' };
}

/** Reads an `agent` node (importers 5.4). */
export function readAgent(node: DifyNode): AgentPayload {
  const parameters = mapOf(node.data.get('agent_parameters'));
  const strategy = textOf(node.data.get('agent_strategy_name')) ?? '';
  const provider = textOf(node.data.get('agent_strategy_provider_name')) ?? '';
  const read = provider === READ_PROVIDER && READ_STRATEGIES.has(strategy);
  const model = readModel(at(parameters.get('model'), 'value'));
  const instruction = parameters.get('instruction');
  const settings: Setting[] = [];
  for (const [key, parameter] of parameters) {
    const value = at(parameter, 'value');
    if (AGENT_OWN.has(key) || value === undefined || isEmpty(value)) continue;
    settings.push(setting(key, value, null));
  }
  const instructionValue = at(instruction, 'value');
  if (!read && instructionValue !== undefined && !isEmpty(instructionValue)) {
    settings.push(setting('instruction', instructionValue, 'instruction'));
  }
  return {
    execution: { read, display: strategy === '' ? 'an unreadable strategy' : strategy },
    model: model.field,
    prompt: read ? parameterField(instruction) : { state: 'absent' },
    runInput: parameterField(parameters.get('query')),
    bound: boundField(parameters.get('maximum_iterations'), read),
    settings,
    modelSettings: model.settings,
  };
}

/** Losses of an agent beside those of its settings: its memory. */
export function agentLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const own = memoryLoss(node, scene, node.data.get('memory'));
  const parameter = at(node.data.get('agent_parameters'), 'memory', 'value');
  if (own.length > 0 || isEmpty(parameter)) return own;
  const detail = `"${node.title}" remembers the conversation.`;
  return [{ ref: node.ref, kind: 'memory', detail }];
}

const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ['mcp', 'mcp'],
  ['api', 'http'],
  ['builtin', 'proprietary'],
  ['plugin', 'proprietary'],
  ['workflow', 'proprietary'],
]);

/** A tool entry of an agent; `type` or `provider_type` says what stands behind it. */
export function readTool(entry: Value, id: string, locator: string): Tool {
  const names = [at(entry, 'tool_name'), at(entry, 'name'), at(entry, 'provider_name')];
  const name = names.find((value) => typeof value === 'string' && value !== '');
  const type = textOf(at(entry, 'type') ?? at(entry, 'provider_type')) ?? '';
  const label = textOf(name) ?? id;
  return {
    id,
    name: label,
    kind: TOOL_KINDS.get(type) ?? 'unknown',
    ref: { source_id: id, source_label: label, locator },
  };
}

/** The tools that an `agent` node offers (importers 5.2, 5.4). */
export function agentTools(node: DifyNode): Tool[] {
  const out: Tool[] = [];
  const list = listOf(at(node.data.get('agent_parameters'), 'tools', 'value'));
  for (const [index, entry] of list.entries()) {
    if (at(entry, 'enabled') !== true) continue;
    const locator = `${node.ref.locator}.data.agent_parameters.tools.value[${index}]`;
    out.push(readTool(entry, `${node.id}:tools[${index}]`, locator));
  }
  return out;
}
