import type {
  AgentPayload,
  Field,
  Graph,
  Loss,
  ModelCallPayload,
  Node,
  Output,
  Setting,
  Tool,
} from '../graph-ir.ts';
import { setting } from '../n8n/models.ts';
import { at, listOf, textOf, type Value } from '../value.ts';
import type { DifyDocument } from './document.ts';
import { readTool } from './llm.ts';
import { isEmpty, readModel } from './models.ts';
import { configRule, fieldBy, type PromptTexts, readPrompt } from './texts.ts';

const DEFAULT_ITERATIONS = 10;
const TOOL_KEYS = 4;
const FILLED_SETTINGS = ['opening_statement', 'suggested_questions', 'external_data_tools'];
const SWITCHED_SETTINGS = [
  'suggested_questions_after_answer',
  'speech_to_text',
  'text_to_speech',
  'retriever_resource',
  'more_like_this',
  'annotation_reply',
  'file_upload',
];
const UNREAD_STRATEGIES: ReadonlySet<string> = new Set(['router', 'react_router']);
const ONE_OUTPUT: readonly Output[] = [{ position: 0, role: 'default' }];

function advancedPrompt(config: ReadonlyMap<string, Value>): Value | undefined {
  const completion = at(config.get('completion_prompt_config'), 'prompt');
  const isCompletion = at(config.get('model'), 'mode') === 'completion';
  if (isCompletion && !isEmpty(completion)) return completion;
  return at(config.get('chat_prompt_config'), 'prompt');
}

function readTexts(config: ReadonlyMap<string, Value>): PromptTexts {
  const type = config.get('prompt_type') ?? 'simple';
  const none: Field<string> = { state: 'absent' };
  if (type === 'simple') {
    const prompt = fieldBy(configRule, config.get('pre_prompt'));
    return { prompt, runInput: none, others: [] };
  }
  if (type === 'advanced') return readPrompt(advancedPrompt(config), configRule);
  const display = 'a prompt of another type';
  const prompt: Field<string> = {
    state: 'unresolved',
    cause: 'unmapped',
    display,
    embedded: false,
  };
  return { prompt, runInput: none, others: [] };
}

function readSettings(config: ReadonlyMap<string, Value>, texts: PromptTexts): Setting[] {
  const out = texts.others.map(([i, text]) => setting(`prompt_template[${i}]`, text, null));
  for (const key of FILLED_SETTINGS) {
    const value = config.get(key);
    if (value !== undefined && !isEmpty(value)) out.push(setting(key, value, null));
  }
  for (const key of SWITCHED_SETTINGS) {
    const value = config.get(key);
    if (at(value, 'enabled') === true) out.push(setting(`${key}.enabled`, true, null));
    else if (at(value, 'image', 'enabled') === true) {
      out.push(setting(`${key}.image.enabled`, true, null));
    }
  }
  return out;
}

function boundOf(value: Value | undefined, read: boolean): Field<number> {
  if (typeof value === 'number') return { state: 'resolved', value, provenance: 'authored' };
  if (!isEmpty(value)) {
    const display = textOf(value) ?? 'a value that is no number';
    return { state: 'unresolved', cause: 'unmapped', display, embedded: false };
  }
  if (!read) return { state: 'absent' };
  return { state: 'resolved', value: DEFAULT_ITERATIONS, provenance: 'source_default' };
}

function readCall(config: ReadonlyMap<string, Value>): ModelCallPayload {
  const texts = readTexts(config);
  const model = readModel(config.get('model'));
  return {
    model: model.field,
    prompt: texts.prompt,
    runInput: texts.runInput,
    settings: [...model.settings, ...readSettings(config, texts)],
  };
}

function readConfigAgent(config: ReadonlyMap<string, Value>): AgentPayload {
  const call = readCall(config);
  const mode = config.get('agent_mode');
  const strategy = textOf(at(mode, 'strategy'));
  const switched = mode instanceof Map && mode.has('enabled');
  const read = strategy !== undefined && !UNREAD_STRATEGIES.has(strategy) && switched;
  return {
    ...call,
    execution: { read, display: strategy ?? 'an unreadable strategy' },
    bound: boundOf(at(mode, 'max_iteration'), read),
    modelSettings: [],
  };
}

function readTools(config: ReadonlyMap<string, Value>): Tool[] {
  const out: Tool[] = [];
  for (const [index, entry] of listOf(at(config.get('agent_mode'), 'tools')).entries()) {
    const complete = entry instanceof Map && entry.size >= TOOL_KEYS;
    if (!complete || entry.get('enabled') !== true) continue;
    const locator = `$.model_config.agent_mode.tools[${index}]`;
    out.push(readTool(entry, `model_config:tools[${index}]`, locator));
  }
  return out;
}

function formNames(config: ReadonlyMap<string, Value>): string[] {
  return listOf(config.get('user_input_form')).flatMap((item) =>
    item instanceof Map
      ? [...item.values()].map((field) => textOf(at(field, 'variable')) ?? '')
      : [],
  );
}

function configLosses(doc: DifyDocument, ref: Node['ref']): Loss[] {
  const { config, mode, name } = doc;
  const out: Loss[] = [];
  const moderation = config.get('sensitive_word_avoidance');
  if (at(moderation, 'enabled') === true) {
    const key = 'sensitive_word_avoidance';
    const source = {
      source_id: `feature:${key}`,
      source_label: key,
      locator: `$.model_config.${key}`,
    };
    const detail = `"${name}" checks texts for unwanted content.`;
    out.push({ ref: source, kind: 'execution_setting', detail });
  }
  if (!isEmpty(at(config.get('dataset_configs'), 'datasets', 'datasets'))) {
    out.push({ ref, kind: 'external_service', detail: `"${name}" looks things up in knowledge.` });
  }
  if (!isEmpty(config.get('user_input_form'))) {
    const names = formNames(config).filter((field) => /^[\w-]+$/.test(field));
    const detail = `"${name}" asks the caller for ${names.join(', ') || 'values'}.`;
    out.push({ ref, kind: 'run_input', detail });
  }
  if (mode !== 'completion') {
    out.push({ ref, kind: 'memory', detail: `"${name}" remembers the conversation.` });
  }
  return out;
}

/** The graph of an app without one: one call or agent behind one manual entry (importers 5.4). */
export function convertConfigApp(doc: DifyDocument, losses: readonly Loss[]): Partial<Graph> {
  const ref = { source_id: 'model_config', source_label: doc.name, locator: '$.model_config' };
  const isAgent = doc.mode === 'agent-chat';
  const payload: Node['payload'] = isAgent
    ? { kind: 'agent', ...readConfigAgent(doc.config) }
    : { kind: 'model_call', ...readCall(doc.config) };
  const tools = isAgent ? readTools(doc.config) : [];
  const app = { source_id: 'app', source_label: doc.name, locator: '$.app' };
  return {
    nodes: [{ id: 'model_config', name: doc.name, ref, payload, outputs: ONE_OUTPUT }],
    entries: [
      {
        id: 'app',
        ref: app,
        mechanism: 'manual',
        basis: 'declared',
        outputs: ONE_OUTPUT,
        inferredTarget: null,
      },
    ],
    entryAbsence: null,
    connections: [{ source: 'app', target: 'model_config', position: 0, label: null }],
    tools,
    bindings: tools.map((tool) => ({ agentId: 'model_config', toolId: tool.id })),
    losses: [...losses, ...configLosses(doc, ref)],
    declaredElements: 1,
  };
}
