import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { Field, ModelField, Setting, SettingSlot } from '../graph-ir.ts';
import { setting } from '../n8n/models.ts';
import { at, hasText, mapOf, textOf, type Value } from '../value.ts';

/** Dify's provider names → the provider identities of the spec (importers 5.4). */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['azure_openai', 'azure-openai'],
  ['bedrock', 'aws-bedrock'],
  ['cohere', 'cohere'],
  ['gemini', 'google'],
  ['google', 'google'],
  ['groq', 'groq'],
  ['huggingface_hub', 'huggingface'],
  ['mistralai', 'mistral'],
  ['ollama', 'ollama'],
  ['openai', 'openai'],
  ['vertex_ai', 'google-vertex'],
]);

const SLOTS: ReadonlyMap<string, SettingSlot> = new Map([
  ['temperature', 'temperature'],
  ['max_tokens', 'max_tokens'],
]);

/** A model selection with its settings. */
export interface ReadModel {
  readonly field: ModelField;
  readonly settings: readonly Setting[];
}

/** True for null, empty text, an empty list and an empty mapping. */
export function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return value instanceof Map && value.size === 0;
}

/** The last segment of a provider id such as `langgenius/openai/openai`. */
export function providerSegment(value: Value | undefined): string {
  return (textOf(value) ?? '').split('/').at(-1) ?? '';
}

function identifier(value: Value | undefined): Field<string> {
  const name = at(value, 'name') ?? at(value, 'model');
  if (hasText(name)) return { state: 'resolved', value: name.trim(), provenance: 'authored' };
  return { state: 'unresolved', cause: 'unmapped', display: 'no name', embedded: false };
}

/**
 * Reads a model selection `{provider, name | model, completion_params}` (importers 5.4). One that is
 * missing is read like an empty one, so that a step without a model is told.
 */
export function readModel(value: Value | undefined): ReadModel {
  const provider = PROVIDERS.get(providerSegment(at(value, 'provider'))) ?? null;
  const settings = [...mapOf(at(value, 'completion_params'))]
    .filter(([, item]) => !isEmpty(item))
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, item]) => setting(key, item, SLOTS.get(key) ?? null));
  return {
    field: {
      state: 'named',
      provider,
      providerUnresolved: provider === null,
      identifier: identifier(value),
    },
    settings,
  };
}
