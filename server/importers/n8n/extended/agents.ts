import type { JsonObject } from '../../../kernel/json.ts';
import { type AgentPayload, type Loss, shownSettings, unsaidBound } from '../../graph-ir.ts';
import { at, hasText } from '../../value.ts';
import { readAgent, readsChatInput } from '../agents.ts';
import type { N8nNode } from '../document.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { answerShape, memoryOf } from './agent-extras.ts';
import { foldedExtras } from './model-settings.ts';
import { type BuiltPrompt, buildPrompt, type PromptPart } from './prompt-text.ts';

/** What an agent is asked that takes what is said in a chat. */
export const CHAT_INPUT = '={{ $json.chatInput }}';

/** The agent's instructions: its system message, what it is asked, the shape of the answer. */
function promptParts(node: N8nNode, scene: Scene): PromptPart[] {
  const chat = scene.profile.flow === undefined ? undefined : CHAT_INPUT;
  const text = readsChatInput(node) ? chat : node.parameters.get('text');
  return [
    { value: at(node.parameters, 'options', 'systemMessage') },
    { value: text, input: true },
    { value: answerShape(node, scene) },
  ];
}

function promptOf(node: N8nNode, scene: Scene, plain: AgentPayload): BuiltPrompt {
  const built = buildPrompt(node, scene, promptParts(node, scene));
  const system = at(node.parameters, 'options', 'systemMessage');
  const useDefault = built.prompt.state === 'absent' && !hasText(system);
  return useDefault ? { ...built, prompt: plain.prompt } : built;
}

function members(node: N8nNode, scene: Scene, plain: AgentPayload): JsonObject {
  const out: JsonObject = {};
  const { bound } = plain;
  if (bound.state === 'resolved' && Number.isSafeInteger(bound.value) && bound.value >= 1) {
    out['strategy'] = { type: 'react', max_iterations: bound.value };
  } else out['strategy'] = { type: 'react' };
  const memory = memoryOf(node, scene);
  if (memory !== undefined) out['memory'] = memory;
  return out;
}

/** Reads an agent with everything that the spec has a place for (importers 14). */
export function readExtendedAgent(node: N8nNode, scene: Scene): AgentPayload {
  const plain = readAgent(node, scene);
  return {
    ...plain,
    prompt: promptOf(node, scene, plain).prompt,
    runInput: { state: 'absent' },
    bound: unsaidBound(plain.bound),
    settings: shownSettings(plain.settings),
    modelSettings: [],
    extras: { ...foldedExtras(node, scene), members: members(node, scene, plain) },
  };
}

/** What an agent loses although its prompt was carried. */
export function agentLosses(node: N8nNode, scene: Scene): Loss[] {
  return [...promptOf(node, scene, readAgent(node, scene)).losses];
}

export const EXTENDED_AGENT: NodeReader = {
  losses: agentLosses,
  payload: (node, scene) => ({ kind: 'agent', ...readExtendedAgent(node, scene) }),
  prompt: (node, scene) => promptOf(node, scene, readAgent(node, scene)).asked,
  closedOutputs: true,
  carriesAttachments: true,
};
