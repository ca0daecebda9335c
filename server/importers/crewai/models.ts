import { isProviderName, modelMembers, namedModel, unreadModel } from '../elements/parts.ts';
import type { AgentExtras, ModelField } from '../graph-ir.ts';
import { at, hasText, type Value } from '../value.ts';

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['azure', 'azure-openai'],
  ['bedrock', 'aws-bedrock'],
  ['cohere', 'cohere'],
  ['gemini', 'google'],
  ['google', 'google'],
  ['groq', 'groq'],
  ['huggingface', 'huggingface'],
  ['mistral', 'mistral'],
  ['ollama', 'ollama'],
  ['openai', 'openai'],
  ['vertex_ai', 'google-vertex'],
]);

/** A model as a crew names it. */
export interface CrewModel {
  readonly field: ModelField;
  readonly extras: NonNullable<AgentExtras['model']>;
  /** A provider that is none of the known ones and is kept under its name. */
  readonly kept: string | null;
}

/** Reads `provider/model`, alone or with settings beside it; a bare name may be one of the code's. */
export function readModel(value: Value | undefined): CrewModel {
  const written = value instanceof Map ? at(value, 'model') : value;
  const extras = modelMembers(at(value, 'temperature'), at(value, 'max_tokens'));
  if (!hasText(written)) return { field: { state: 'none' }, extras, kept: null };
  const slash = written.indexOf('/');
  const prefix = written.slice(0, Math.max(slash, 0)).trim();
  if (!isProviderName(prefix)) return { field: unreadModel(written), extras, kept: null };
  const known = PROVIDERS.get(prefix.toLowerCase());
  return {
    field: namedModel(known ?? prefix, written.slice(slash + 1)),
    extras,
    kept: known === undefined ? prefix : null,
  };
}
