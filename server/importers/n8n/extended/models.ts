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

type Place = 'carried' | 'nameless' | 'own model' | 'no agent';

/** Where the model of an element went: into its agent, or why it has no place there. */
function placeIn(parent: N8nNode, scene: Scene): Place {
  const role = scene.roles.get(parent.id);
  const reader =
    role?.role === 'tool' ? role.agent : role?.role === 'node' ? role.reader : undefined;
  const payload = reader?.payload(parent, scene);
  if (payload?.kind !== 'agent' && payload?.kind !== 'model_call') return 'no agent';
  const folded = scene.folded.get(parent.id)?.field;
  if (payload.model !== folded) return 'own model';
  return folded?.state === 'named' && folded.identifier.state === 'resolved'
    ? 'carried'
    : 'nameless';
}

function parentsOf(node: N8nNode, scene: Scene): N8nNode[] {
  const links = scene.attachmentsFrom.get(node.id) ?? [];
  const parents = links.filter((l) => l.type === 'ai_languageModel').map((l) => l.target);
  return [...new Set(parents)];
}

function quoted(nodes: readonly N8nNode[]): string {
  return nodes.map((node) => `"${node.name}"`).join(', ');
}

function carriedLoss(node: N8nNode, parents: readonly N8nNode[]): Loss {
  const provider = MORE_TYPES.get(node.type)?.provider;
  const where = `Model "${node.name}" is in the draft as the model of ${quoted(parents)}`;
  const carried = { ref: node.ref, kind: 'carried_as' } as const;
  if (provider === undefined) {
    return { ...carried, severity: 'info', detail: `${where}.`, todo: 'Nothing to do.' };
  }
  const detail = `${where}, under the provider "${provider}".`;
  const todo = 'Check that the platform knows this provider.';
  return { ...carried, severity: 'manual', detail, todo };
}

const LEFT_OUT: Readonly<Record<Exclude<Place, 'carried'>, readonly [string, string]>> = {
  nameless: [
    'names no model that can be read from the file; the draft has none for it.',
    'Choose it at the agent.',
  ],
  'own model': [
    'is not the model that the element names itself, and is not in the draft.',
    'Nothing to do unless the attached model is meant.',
  ],
  'no agent': [
    'works for an element that is no agent of the draft; the draft does not hold it.',
    'Give it to what does this job in the draft, if that calls a model.',
  ],
};

/** Says where a model went: into its agents, or why not. */
export function extendedModelLosses(node: N8nNode, scene: Scene): Loss[] {
  const losses = foldModel(node, scene);
  if (losses.length > 0) return losses;
  const byPlace = new Map<Place, N8nNode[]>();
  for (const parent of parentsOf(node, scene)) {
    const place = placeIn(parent, scene);
    byPlace.set(place, [...(byPlace.get(place) ?? []), parent]);
  }
  const out: Loss[] = [];
  for (const [place, parents] of byPlace) {
    if (place === 'carried') {
      out.push(carriedLoss(node, parents), ...extraLosses(node));
      continue;
    }
    const [why, todo] = LEFT_OUT[place];
    const detail = `Model "${node.name}" of ${quoted(parents)} ${why}`;
    // What to choose is a gap of the agent.
    const severity = place === 'nameless' ? 'info' : 'manual';
    out.push({ ref: node.ref, kind: 'carried_as', severity, detail, todo });
  }
  return out;
}

/** A model that stands in the flow, where the source never runs it. */
export function modelInFlow(node: N8nNode): Loss {
  const detail = `Model "${node.name}" is connected to the flow; a model is no step, so the draft leaves these connections out.`;
  const todo = 'Connect the steps around it if they belong together.';
  const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
  return { ...loss, about: 'outputs' };
}
