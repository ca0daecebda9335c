import type { JsonObject } from '../../kernel/json.ts';
import type { Element, ElementDocument, ReadElement } from '../elements/document.ts';
import { ABSENT, carried, numberIn, textField, toolDefinition } from '../elements/parts.ts';
import type { Loss, Output, Tool } from '../graph-ir.ts';
import { at, hasText, listOf, textOf, type Value } from '../value.ts';
import { readModel } from './models.ts';
import { readPrompt } from './texts.ts';

const WINDOW_DEFAULT = 20;
const SYSTEM: ReadonlySet<string> = new Set(['system', 'developer']);

function textsOf(list: Value | undefined, wanted: (role: string) => boolean): string[] {
  return listOf(list).flatMap((message) => {
    const content = at(message, 'content');
    return hasText(content) && wanted(textOf(at(message, 'role')) ?? '') ? [content] : [];
  });
}

function isSet(value: Value | undefined): boolean {
  return value === true || (Array.isArray(value) ? value.length > 0 : hasText(value));
}

interface Memory {
  readonly members: JsonObject;
  readonly losses: readonly Loss[];
}

function readMemory(element: Element, prefix: string): Memory {
  const { settings, title } = element;
  if (settings.get(`${prefix}EnableMemory`) !== true) return { members: {}, losses: [] };
  const size = numberIn(settings.get(`${prefix}MemoryWindowSize`));
  const max = size === undefined || size < 1 ? WINDOW_DEFAULT : Math.floor(size);
  const kind = textOf(settings.get(`${prefix}MemoryType`)) ?? 'allMessages';
  const detail = `"${title}" remembers the conversation (${kind}); the draft keeps the last ${max} messages of a run.`;
  const todo = 'Decide where conversations are stored between runs.';
  return {
    members: { memory: { policy: 'sliding_window', max_messages: max } },
    losses: [carried(element, 'manual', detail, todo)],
  };
}

/** State that the flow keeps beside its texts; the draft has no place for it. */
export function stateLosses(element: Element, key: string): Loss[] {
  const list = listOf(element.settings.get(key));
  if (list.length === 0) return [];
  const names = list.map((item) => textOf(at(item, 'key')) ?? '?').join(', ');
  const detail = `"${element.title}" writes values that later steps read (${names}).`;
  return [{ ref: element.ref, kind: 'memory', detail }];
}

function knowledgeLosses({ settings, ref, title }: Element): Loss[] {
  const asked = ['agentKnowledgeDocumentStores', 'agentKnowledgeVSEmbeddings'];
  if (!asked.some((key) => isSet(settings.get(key)))) return [];
  const detail = `"${title}" looks things up in knowledge of the source.`;
  return [{ ref, kind: 'external_service', detail }];
}

function structureLosses({ settings, ref, title }: Element): Loss[] {
  const fields = listOf(settings.get('llmStructuredOutput'));
  if (fields.length === 0) return [];
  const names = fields.map((field) => textOf(at(field, 'key')) ?? '?').join(', ');
  const detail = `"${title}" answers with named values (${names}); the draft answers with a text.`;
  return [{ ref, kind: 'output_formatting_not_carried', detail }];
}

/** The tools that an agent offers to its model. */
function toolsOf({ settings, ref, id }: Element): Tool[] {
  return listOf(settings.get('agentTools')).flatMap((item, index): Tool[] => {
    const name = at(item, 'agentSelectedTool');
    if (!hasText(name)) return [];
    const locator = `${ref.locator}.data.inputs.agentTools[${index}]`;
    const source_id = `${id}:tools[${index}]`;
    return [
      {
        id: source_id,
        name,
        kind: name.toLowerCase().includes('mcp') ? 'mcp' : 'proprietary',
        ref: { source_id, source_label: name, locator },
        definition: toolDefinition(name),
      },
    ];
  });
}

function givenOf(element: Element, doc: ElementDocument, prefix: string) {
  const { settings, ref, title } = element;
  const messages = settings.get(`${prefix}Messages`);
  const own = settings.get(`${prefix}UserMessage`);
  const given = [...textsOf(messages, (role) => !SYSTEM.has(role)), ...(hasText(own) ? [own] : [])];
  const prompt = readPrompt(element, doc, [
    ...textsOf(messages, (role) => SYSTEM.has(role)),
    ...given,
  ]);
  if (given.length === 0) return prompt;
  const detail = `"${title}" is given messages beside its instructions; the draft has them as part of its prompt.`;
  const todo = 'Check that the prompt reads well.';
  const loss: Loss = { ref, kind: 'carried_as', severity: 'manual', detail, todo, about: 'prompt' };
  return { ...prompt, losses: [...prompt.losses, loss] };
}

/** An agent, or a call of a model: `agent…` and `llm…` are named alike. */
export function readAgent(
  element: Element,
  doc: ElementDocument,
  prefix: 'agent' | 'llm',
): ReadElement {
  const model = readModel(element, prefix);
  const memory = readMemory(element, prefix);
  const given = givenOf(element, doc, prefix);
  const losses = [
    ...model.losses,
    ...given.losses,
    ...memory.losses,
    ...stateLosses(element, `${prefix}UpdateState`),
    ...knowledgeLosses(element),
    ...structureLosses(element),
  ];
  const parts = {
    model: model.field,
    prompt: textField(given.text),
    runInput: ABSENT,
    settings: [],
  };
  if (prefix === 'llm') {
    const detail = `"${element.title}" calls a model; the draft has it as an agent without tools.`;
    const extras = { model: model.extras, members: memory.members };
    return {
      role: 'node',
      payload: { kind: 'model_call', ...parts, extras },
      losses: [carried(element, 'info', detail), ...losses],
    };
  }
  const members = { strategy: { type: 'react' }, ...memory.members };
  return {
    role: 'node',
    payload: {
      kind: 'agent',
      execution: { read: true, display: 'agent' },
      ...parts,
      bound: ABSENT,
      modelSettings: [],
      extras: { model: model.extras, members },
    },
    losses,
    tools: toolsOf(element),
  };
}

function scenariosOf({ settings }: Element): string[] {
  return listOf(settings.get('conditionAgentScenarios')).map((item) =>
    (textOf(at(item, 'scenario')) ?? '').trim(),
  );
}

/** A model that sorts the input into scenarios: an agent that answers with one of them. */
export function readClassifier(element: Element, doc: ElementDocument): ReadElement {
  const { settings, title } = element;
  const model = readModel(element, 'conditionAgent');
  const scenarios = scenariosOf(element);
  const own = readPrompt(element, doc, [
    textOf(settings.get('conditionAgentInstructions')) ?? '',
    textOf(settings.get('conditionAgentInput')) ?? '',
  ]);
  const lead =
    'Sort the text into exactly one of the scenarios. Answer with the words of the scenario only.';
  const list = `Scenarios:\n${scenarios.map((name) => `- ${name}`).join('\n')}`;
  const prompt = [lead, list, own.text].filter((part) => part !== '').join('\n\n');
  const outputs = scenarios.map(
    (value, position): Output =>
      value === ''
        ? { position, role: 'case' }
        : {
            position,
            role: 'case',
            condition: { type: 'output_contains', value, case_sensitive: false },
          },
  );
  const detail = `"${title}" sorts into scenarios; in the draft an agent answers with the scenario and the edges look for it.`;
  const todo = 'Check the wording of the prompt and of the scenarios.';
  return {
    role: 'node',
    payload: {
      kind: 'model_call',
      model: model.field,
      prompt: textField(prompt),
      runInput: ABSENT,
      settings: [],
      extras: { model: model.extras },
    },
    ...(outputs.length === 0 ? {} : { outputs }),
    losses: [carried(element, 'manual', detail, todo), ...model.losses, ...own.losses],
  };
}
