import type { Element } from '../elements/document.ts';
import {
  carried,
  isProviderName,
  modelMembers,
  namedModel,
  unreadModel,
} from '../elements/parts.ts';
import type { AgentExtras, Loss, ModelField } from '../graph-ir.ts';
import { hasText, mapOf, textOf } from '../value.ts';

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['chatOpenAI', 'openai'],
  ['azureChatOpenAI', 'azure-openai'],
  ['chatAnthropic', 'anthropic'],
  ['chatGoogleGenerativeAI', 'google'],
  ['chatGoogleVertexAI', 'google-vertex'],
  ['chatMistralAI', 'mistral'],
  ['groqChat', 'groq'],
  ['chatOllama', 'ollama'],
  ['awsChatBedrock', 'aws-bedrock'],
  ['chatCohere', 'cohere'],
]);

/** A model selection: which one, what of its settings goes along, what is lost. */
export interface ReadModel {
  readonly field: ModelField;
  readonly extras: NonNullable<AgentExtras['model']>;
  readonly losses: readonly Loss[];
}

/** Reads the model that an element selects under `<prefix>Model` and `<prefix>ModelConfig`. */
export function readModel(element: Element, prefix: string): ReadModel {
  const { ref, title, settings } = element;
  const selected = settings.get(`${prefix}Model`);
  const config = mapOf(settings.get(`${prefix}ModelConfig`));
  if (!hasText(selected)) {
    const detail = `"${title}" names no model.`;
    return {
      field: { state: 'none' },
      extras: {},
      losses: [{ ref, kind: 'model_unresolved', detail }],
    };
  }
  if (!isProviderName(selected)) return { field: unreadModel(selected), extras: {}, losses: [] };
  const known = PROVIDERS.get(selected);
  const provider = known ?? selected;
  const field = namedModel(provider, textOf(config.get('modelName')) ?? '');
  const extras = modelMembers(config.get('temperature'), config.get('maxTokens'));
  if (known !== undefined) return { field, extras, losses: [] };
  const detail = `The model of "${title}" is kept under the provider "${provider}".`;
  const todo = 'Check that the platform knows this provider.';
  return { field, extras, losses: [carried(element, 'manual', detail, todo)] };
}
