import type { Loss } from '../../graph-ir.ts';
import { LANGCHAIN, type N8nNode } from '../document.ts';
import { foldModel, MODEL_TYPES } from '../models.ts';
import type { ModelType, Scene } from '../scene.ts';
import { extraLosses } from './model-settings.ts';

function more(name: string, provider: string, identifier = ['model']): [string, ModelType] {
  return [`${LANGCHAIN}${name}`, { provider, identifier }];
}

/** Model elements beyond the strict ones; their provider ids are kept as they are. */
const MORE_TYPES: ReadonlyMap<string, ModelType> = new Map([
  more('lmChatOpenRouter', 'openrouter'),
  more('lmChatDeepSeek', 'deepseek'),
  more('lmChatXAiGrok', 'xai'),
  more('lmChatVercelAiGateway', 'vercel'),
  more('lmChatCohere', 'cohere'),
  more('lmChatMoonshot', 'moonshot'),
  more('lmChatMinimax', 'minimax'),
  more('lmChatAlibabaCloud', 'alibaba'),
  more('lmChatLemonade', 'lemonade'),
]);

/** The model element types of the extended conversion (importers 14). */
export const EXTENDED_MODELS: ReadonlyMap<string, ModelType> = new Map([
  ...MODEL_TYPES,
  ...MORE_TYPES,
]);

function targets(node: N8nNode, scene: Scene): string {
  const links = scene.attachmentsFrom.get(node.id) ?? [];
  const names = links.filter((l) => l.type === 'ai_languageModel').map((l) => l.target.name);
  return [...new Set(names)].map((name) => `"${name}"`).join(', ');
}

/** Says where a model went: into its agents, or why not. */
export function extendedModelLosses(node: N8nNode, scene: Scene): Loss[] {
  const losses = foldModel(node, scene);
  if (losses.length > 0) return losses;
  const provider = MORE_TYPES.get(node.type)?.provider;
  const where = `Model "${node.name}" is in the draft as the model of ${targets(node, scene)}`;
  const carried = { ref: node.ref, kind: 'carried_as' } as const;
  if (provider === undefined) {
    const todo = 'Nothing to do.';
    return [{ ...carried, severity: 'info', detail: `${where}.`, todo }, ...extraLosses(node)];
  }
  const detail = `${where}, under the provider "${provider}".`;
  const todo = 'Check that the platform knows this provider.';
  return [{ ...carried, severity: 'manual', detail, todo }, ...extraLosses(node)];
}
