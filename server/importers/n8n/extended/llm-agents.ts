import type { JsonObject } from '../../../kernel/json.ts';
import type { Loss, ModelCallPayload, ModelField, NodePayload } from '../../graph-ir.ts';
import { at, hasText, listOf, type Value } from '../../value.ts';
import { LANGCHAIN, type N8nNode } from '../document.ts';
import { identifierField } from '../models.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { answerShape, memoryOf } from './agent-extras.ts';
import { classesOf } from './branches.ts';
import { carryModelOptions, extraLosses, foldedExtras } from './model-settings.ts';
import { type BuiltPrompt, buildPrompt } from './prompt-text.ts';

/** Where a model element that is a step by itself keeps its texts. */
interface LlmType {
  /** Texts that make up the prompt. */
  readonly prompt: (node: N8nNode) => readonly (Value | undefined)[];
  /** The text that the source gives the model per run. */
  readonly input: (node: N8nNode) => Value | undefined;
  /** The model, when the element names its own. */
  readonly model?: (node: N8nNode) => ModelField;
}

function messages(list: Value | undefined, text: string): (Value | undefined)[] {
  return listOf(list).map((message) => at(message, text));
}

function described(list: Value | undefined, name: string, lead: string): string {
  const lines = listOf(list).map((item) => {
    const label = at(item, name);
    const about = at(item, 'description');
    return `- ${typeof label === 'string' ? label : ''}${hasText(about) ? `: ${about}` : ''}`;
  });
  return lines.length === 0 ? '' : `${lead}\n${lines.join('\n')}`;
}

function ownModel(node: N8nNode): ModelField {
  const value = node.parameters.get('modelId') ?? node.parameters.get('model');
  const identifier = identifierField(value);
  return { state: 'named', provider: 'openai', providerUnresolved: false, identifier };
}

function chainTexts(node: N8nNode): (Value | undefined)[] {
  const { parameters } = node;
  const system = messages(at(parameters, 'messages', 'messageValues'), 'message');
  return [...system, parameters.get('text') ?? parameters.get('prompt')];
}

function summaryPrompt(node: N8nNode): Value | undefined {
  const values = at(node.parameters, 'options', 'summarizationMethodAndPrompts', 'values');
  return at(values, 'prompt') ?? at(values, 'combineMapPrompt');
}

/** The classifier's own template, with the names of its classes. */
function ownTemplate(node: N8nNode): Value | undefined {
  const template = at(node.parameters, 'options', 'systemPromptTemplate');
  if (!hasText(template)) return undefined;
  return template.replaceAll('{categories}', () => (classesOf(node) ?? []).join(', '));
}

function sentimentPrompt(node: N8nNode): string {
  const names = classesOf(node) ?? [];
  const choice = names.length === 0 ? '' : ` Answer with one of these only: ${names.join(', ')}.`;
  return `Judge the sentiment of the text.${choice}`;
}

const LLM_TYPES: ReadonlyMap<string, LlmType> = new Map<string, LlmType>([
  [`${LANGCHAIN}chainLlm`, { prompt: chainTexts, input: (node) => node.parameters.get('text') }],
  [
    `${LANGCHAIN}openAi`,
    {
      prompt: (node) => [
        at(node.parameters, 'options', 'instructions'),
        ...messages(at(node.parameters, 'messages', 'values'), 'content'),
        ...messages(at(node.parameters, 'responses', 'values'), 'content'),
        node.parameters.get('text'),
      ],
      input: () => undefined,
      model: ownModel,
    },
  ],
  [
    `${LANGCHAIN}informationExtractor`,
    {
      prompt: (node) => [
        at(node.parameters, 'options', 'systemPromptTemplate') ??
          'Extract the wanted information from the text. Leave out what is not there.',
        described(at(node.parameters, 'attributes', 'attributes'), 'name', 'Extract as JSON:'),
        node.parameters.get('inputSchema') ?? node.parameters.get('jsonSchemaExample'),
      ],
      input: (node) => node.parameters.get('text'),
    },
  ],
  [
    `${LANGCHAIN}chainSummarization`,
    {
      prompt: (node) => [summaryPrompt(node) ?? 'Write a concise summary of the text.'],
      input: () => undefined,
    },
  ],
  [
    `${LANGCHAIN}chainRetrievalQa`,
    {
      prompt: (node) => [at(node.parameters, 'options', 'systemPromptTemplate')],
      input: (node) => node.parameters.get('text') ?? node.parameters.get('query'),
    },
  ],
  [
    `${LANGCHAIN}textClassifier`,
    {
      prompt: (node) => [
        ownTemplate(node),
        'Classify the text into exactly one of the categories. Answer with the name of the category only.',
        described(at(node.parameters, 'categories', 'categories'), 'category', 'Categories:'),
        at(node.parameters, 'options', 'fallback') === 'other'
          ? 'If none fits, answer: other'
          : undefined,
      ],
      input: (node) => node.parameters.get('inputText'),
    },
  ],
  [
    `${LANGCHAIN}sentimentAnalysis`,
    {
      prompt: (node) => [ownTemplate(node), sentimentPrompt(node)],
      input: (node) => node.parameters.get('inputText'),
    },
  ],
]);

/** Operations of the OpenAI element that are no text answer. */
function isOtherOperation(node: N8nNode): boolean {
  const resource = node.parameters.get('resource');
  return typeof resource === 'string' && resource !== 'text' && resource !== 'assistant';
}

function promptOf(node: N8nNode, type: LlmType, scene: Scene): BuiltPrompt {
  const input = type.input(node);
  const parts = type.prompt(node).map((value) => ({ value, input: value === input }));
  const extra = parts.some((part) => part.input) ? [] : [{ value: input, input: true }];
  return buildPrompt(node, scene, [...parts, ...extra, { value: answerShape(node, scene) }]);
}

function members(node: N8nNode, scene: Scene): JsonObject {
  const memory = memoryOf(node, scene);
  return memory === undefined ? {} : { memory };
}

function readLlm(node: N8nNode, type: LlmType, scene: Scene): ModelCallPayload {
  const own = type.model?.(node);
  const model = own ?? scene.folded.get(node.id)?.field ?? { state: 'none' };
  const extras =
    own === undefined ? foldedExtras(node, scene) : { model: carryModelOptions(node).members };
  return {
    model,
    prompt: promptOf(node, type, scene).prompt,
    runInput: { state: 'absent' },
    settings: [],
    extras: { ...extras, members: members(node, scene) },
  };
}

function llmLosses(node: N8nNode, type: LlmType, scene: Scene): Loss[] {
  const detail = `"${node.name}" (${node.type}) is in the draft as an agent without tools.`;
  const carried: Loss = { ref: node.ref, kind: 'carried_as', severity: 'info', detail };
  const options = type.model === undefined ? [] : extraLosses(node);
  return [carried, ...options, ...promptOf(node, type, scene).losses];
}

function readerOf(type: LlmType): NodeReader {
  return {
    losses: (node, scene) => llmLosses(node, type, scene),
    payload: (node, scene): NodePayload => ({ kind: 'model_call', ...readLlm(node, type, scene) }),
    prompt: (node, scene) => promptOf(node, type, scene).asked,
    carriesAttachments: true,
    closedOutputs: true,
  };
}

const READERS: ReadonlyMap<LlmType, NodeReader> = new Map(
  [...LLM_TYPES.values()].map((type) => [type, readerOf(type)]),
);

/** The reader of an element that is one model call; undefined for other types. */
export function llmReader(node: N8nNode): NodeReader | undefined {
  const type = LLM_TYPES.get(node.type);
  if (type === undefined || (type.model !== undefined && isOtherOperation(node))) return undefined;
  return READERS.get(type);
}
