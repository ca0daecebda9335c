import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import { looksSecret } from '../../../kernel/secret-names.ts';
import { secretsInText } from '../../../kernel/secrets-in-text.ts';
import {
  type AgentExtras,
  type AgentPayload,
  type Loss,
  type ModelCallPayload,
  type ModelField,
  shownSettings,
  unsaidBound,
} from '../../graph-ir.ts';
import { isWritable, jsonOf } from '../../json-of.ts';
import { at, mapOf, type Value } from '../../value.ts';
import type { DifyNode } from '../document.ts';
import { readAgent, readExtractor, readLlm } from '../llm.ts';
import { isEmpty, providerSegment } from '../models.ts';
import type { DifyScene } from '../scene.ts';
import { type BuiltPrompt, buildPrompt, type PromptPart } from './prompt-text.ts';

/** Turns of a conversation that are kept when the source does not say how many. */
export const WINDOW_DEFAULT = 10;
export const MESSAGES_PER_TURN = 2;

/** The provider id as the source has it, when it is none of the known ones. */
export function keptModel(field: ModelField, model: Value | undefined): ModelField {
  if (field.state === 'none' || !field.providerUnresolved) return field;
  const provider = providerSegment(at(model, 'provider'));
  if (provider === '' || secretsInText(provider).length > 0) return field;
  return { ...field, provider, providerUnresolved: false };
}

/** Says that a provider was kept under the name that the source has for it. */
export function providerLosses(
  node: Pick<DifyNode, 'title' | 'ref'>,
  field: ModelField,
  kept: ModelField,
): Loss[] {
  if (field.state === 'none' || kept.state === 'none' || kept.provider === field.provider)
    return [];
  const detail = `The model of "${node.title}" is kept under the provider "${kept.provider ?? ''}".`;
  const todo = 'Check that the platform knows this provider.';
  return [{ ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
}

function modelMembers(model: Value | undefined): JsonObject {
  const out: JsonObject = {};
  const extra: JsonObject = {};
  for (const [key, value] of mapOf(at(model, 'completion_params'))) {
    if (isEmpty(value)) continue;
    const json = jsonOf(value, (name, text) => (looksSecret(name) ? undefined : text), key);
    if (json === undefined) continue;
    const isNumber = typeof value === 'number' && isWritable(value);
    if (key === 'temperature' && isNumber && value >= 0) out['temperature'] = json;
    else if (key === 'max_tokens' && isNumber && Number.isInteger(value)) out['max_tokens'] = json;
    else setOwn(extra, key, json);
  }
  if (Object.keys(extra).length > 0) out['extra'] = extra;
  return out;
}

export function memoryOf(node: DifyNode, scene: DifyScene): JsonObject | undefined {
  const memory = node.data.get('memory');
  if (scene.doc.mode !== 'advanced-chat' || isEmpty(memory)) return undefined;
  const size = at(memory, 'window', 'size');
  const turns = typeof size === 'number' && size >= 1 ? Math.floor(size) : WINDOW_DEFAULT;
  return { policy: 'sliding_window', max_messages: turns * MESSAGES_PER_TURN };
}

export function memoryLosses(node: DifyNode, scene: DifyScene): Loss[] {
  if (memoryOf(node, scene) === undefined) return [];
  const detail = `"${node.title}" remembers the conversation; the draft keeps the last messages of a run.`;
  const todo = 'Decide where conversations are stored between runs.';
  return [{ ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
}

/** Model settings and members beyond name, model and prompt. */
export function extrasOf(model: Value | undefined, members: JsonObject): AgentExtras {
  return { model: modelMembers(model), members };
}

function partsOf(plain: ModelCallPayload): PromptPart[] {
  return [{ field: plain.prompt }, { field: plain.runInput, input: true }];
}

interface ReadCall {
  readonly payload: ModelCallPayload;
  readonly losses: readonly Loss[];
}

function readCall(node: DifyNode, scene: DifyScene): ReadCall {
  const plain = node.type === 'llm' ? readLlm(node, scene) : readExtractor(node);
  const model = node.data.get('model');
  const kept = keptModel(plain.model, model);
  const built: BuiltPrompt = buildPrompt(node, scene, partsOf(plain));
  const memory = memoryOf(node, scene);
  return {
    payload: {
      model: kept,
      prompt: built.prompt,
      runInput: { state: 'absent' },
      settings: [],
      extras: extrasOf(model, memory === undefined ? {} : { memory }),
    },
    losses: [
      ...built.losses,
      ...providerLosses(node, plain.model, kept),
      ...memoryLosses(node, scene),
    ],
  };
}

/** A model call with everything that the spec has a place for (importers 14). */
export function extendedCall(node: DifyNode, scene: DifyScene): ModelCallPayload {
  return readCall(node, scene).payload;
}

/** What a model call loses although it is carried. */
export function callLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const detail = `"${node.title}" (${node.type}) is in the draft as an agent without tools.`;
  const carried: Loss = { ref: node.ref, kind: 'carried_as', severity: 'info', detail };
  return [carried, ...readCall(node, scene).losses];
}

export function agentModel(node: DifyNode): Value | undefined {
  return at(node.data.get('agent_parameters'), 'model', 'value');
}

/** An agent with everything that the spec has a place for (importers 14). */
export function extendedAgent(node: DifyNode, scene: DifyScene): AgentPayload {
  const plain = readAgent(node);
  const model = agentModel(node);
  const { bound } = plain;
  const isBound = bound.state === 'resolved' && bound.value >= 1 && isWritable(bound.value);
  const rounds = isBound ? bound.value : undefined;
  const strategy: JsonObject = { type: 'react' };
  if (rounds !== undefined) strategy['max_iterations'] = rounds;
  const memory = memoryOf(node, scene);
  return {
    ...plain,
    model: keptModel(plain.model, model),
    prompt: buildPrompt(node, scene, partsOf(plain)).prompt,
    runInput: { state: 'absent' },
    bound: unsaidBound(bound),
    settings: shownSettings(plain.settings),
    modelSettings: [],
    extras: extrasOf(model, memory === undefined ? { strategy } : { strategy, memory }),
  };
}

/** What an agent loses although it is carried. */
export function extendedAgentLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const plain = readAgent(node);
  return [
    ...buildPrompt(node, scene, partsOf(plain)).losses,
    ...providerLosses(node, plain.model, keptModel(plain.model, agentModel(node))),
    ...memoryLosses(node, scene),
  ];
}
