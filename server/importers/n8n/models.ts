import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { looksSecret } from '../../kernel/secret-names.ts';
import type { Field, Loss, ModelField, Setting, SettingSlot } from '../graph-ir.ts';
import { at, mapOf, type Value } from '../value.ts';
import { LANGCHAIN, type N8nNode } from './document.ts';
import { describe, textField } from './expressions.ts';
import { isNodeRole, type ModelType, type Scene } from './scene.ts';

const MODEL = ['model'];
const MODEL_NAME = ['modelName'];

function row(name: string, provider: string, identifier = MODEL): [string, ModelType] {
  return [`${LANGCHAIN}${name}`, { provider, identifier }];
}

/** The model element types of the strict conversion (importers 4.5). */
export const MODEL_TYPES: ReadonlyMap<string, ModelType> = new Map([
  row('lmChatAnthropic', 'anthropic'),
  row('lmChatAwsBedrock', 'aws-bedrock'),
  row('lmChatAzureOpenAi', 'azure-openai'),
  row('lmChatGoogleGemini', 'google', MODEL_NAME),
  row('lmChatGoogleVertex', 'google-vertex', MODEL_NAME),
  row('lmChatGroq', 'groq'),
  row('lmChatMistralCloud', 'mistral'),
  row('lmChatOllama', 'ollama'),
  row('lmOllama', 'ollama'),
  row('lmChatOpenAi', 'openai'),
  row('lmOpenAi', 'openai'),
  row('lmCohere', 'cohere', ['options', 'model']),
  row('lmOpenHuggingFaceInference', 'huggingface'),
]);

/** Text, or a resource locator holding text; trimmed, blank is absent. */
export function identifierField(value: Value | undefined): Field<string> {
  const isLocator = at(value, '__rl') === true;
  const field = textField(isLocator ? at(value, 'value') : value);
  return field.state === 'resolved' ? { ...field, value: field.value.trim() } : field;
}

const SLOTS: ReadonlyMap<string, SettingSlot> = new Map([
  ['temperature', 'temperature'],
  ['maxTokens', 'max_tokens'],
]);

/** One authored value as it may be shown. */
export function setting(name: string, value: Value, slot: SettingSlot | null): Setting {
  const display = typeof value === 'string' && looksSecret(name) ? '<redacted>' : describe(value);
  return { name, display, slot };
}

/** The `options` of an element, sorted by name. */
export function sortedOptions(node: N8nNode): [string, Value][] {
  return [...mapOf(node.parameters.get('options'))].sort(([a], [b]) => compareCodePoints(a, b));
}

function modelSettings(node: N8nNode, type: ModelType): Setting[] {
  const skipped = type.identifier[0] === 'options' ? type.identifier[1] : undefined;
  return sortedOptions(node)
    .filter(([key]) => key !== skipped)
    .map(([key, value]) => setting(key, value, SLOTS.get(key) ?? null));
}

function quote(nodes: readonly N8nNode[]): string {
  return nodes.map((node) => `"${node.name}"`).join(', ');
}

function parentsOf(node: N8nNode, scene: Scene): N8nNode[] {
  const links = scene.attachmentsFrom.get(node.id) ?? [];
  const parents = links.filter((l) => l.type === 'ai_languageModel').map((l) => l.target);
  return [...new Set(parents)];
}

/** Folds a model into its parents, or says why it cannot be (importers 4.5). */
export function foldModel(node: N8nNode, scene: Scene): Loss[] {
  const parents = parentsOf(node, scene);
  const type = scene.profile.models.get(node.type);
  if (type === undefined) {
    const detail = `Model "${node.name}" of ${quote(parents)} is of a type without a counterpart (${node.type}).`;
    return [{ ref: node.ref, kind: 'proprietary_node', detail }];
  }
  const contested = parents.filter((parent) => (scene.modelsOf.get(parent.id)?.length ?? 0) > 1);
  if (contested.length > 0) {
    const detail = `Model "${node.name}" is one of several attached to ${quote(contested)}; which one answers is not in the file.`;
    return [{ ref: node.ref, kind: 'ambiguous_binding', detail }];
  }
  const field: ModelField = {
    state: 'named',
    provider: type.provider,
    providerUnresolved: false,
    identifier: identifierField(at(node.parameters, ...type.identifier)),
  };
  const settings = modelSettings(node, type);
  for (const parent of parents) scene.folded.set(parent.id, { node, field, settings });
  return [];
}

/** A folded model whose parent is not carried as it stands is itself not carried (importers 4.5). */
export function strandedModels(scene: Scene): Loss[] {
  const lossy = new Set(scene.losses.map((loss) => loss.ref.source_id));
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    const parents = parentsOf(node, scene);
    const isFolded = parents.some((parent) => scene.folded.get(parent.id)?.node === node);
    if (!isFolded || lossy.has(node.id)) continue;
    const stranding = parents.filter((p) => !isNodeRole(scene, p) || lossy.has(p.id));
    if (stranding.length === 0) continue;
    const detail = `Model "${node.name}" serves ${quote(stranding)}, which the draft does not hold as it was.`;
    out.push({ ref: node.ref, kind: 'proprietary_node', detail });
  }
  return out;
}
