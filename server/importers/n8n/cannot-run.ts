import type { Loss } from '../graph-ir.ts';
import { at } from '../value.ts';
import { AGENT_TYPE, executorOf, isReadExecutor, readsChatInput } from './agents.ts';
import { BASE, LANGCHAIN, type N8nNode } from './document.ts';
import { readText } from './expressions.ts';
import { isRulesMode } from './outputs.ts';
import type { Scene } from './scene.ts';

const TEXT_MODELS = names(['lmCohere', 'lmOllama', 'lmOpenAi', 'lmOpenHuggingFaceInference']);
const FUNCTION_MODELS = names(['lmChatOpenAi', 'lmChatAzureOpenAi']);
const INPUTLESS = new Set(
  ['webhook', 'scheduleTrigger', 'cron', 'manualTrigger', 'errorTrigger', 'start'].map(
    (name) => BASE + name,
  ),
);

function names(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.map((type) => LANGCHAIN + type));
}

function modelReason(node: N8nNode, scene: Scene): string | undefined {
  const models = scene.modelsOf.get(node.id) ?? [];
  if (models.length === 0) return 'no model is attached to it';
  const types = [...new Set(models.map((model) => model.type))];
  const executor = executorOf(node);
  if (executor === 'openAiFunctionsAgent') {
    const wrong = types.find((t) => scene.profile.models.has(t) && !FUNCTION_MODELS.has(t));
    return wrong === undefined ? undefined : 'its kind of agent works with OpenAI chat models only';
  }
  const [only] = types;
  if (executor !== 'toolsAgent' || only === undefined || types.length !== 1) return undefined;
  if (TEXT_MODELS.has(only)) return 'its model cannot call tools';
  if (!FUNCTION_MODELS.has(only)) return undefined;
  const equipped = (scene.attachmentsTo.get(node.id) ?? []).some(
    (link) => link.type === 'ai_tool' || link.type === 'ai_outputParser',
  );
  return equipped ? undefined : 'its model wants at least one tool and none is attached';
}

function lacksInput(source: N8nNode): boolean {
  if (source.disabled) return false;
  if (INPUTLESS.has(source.type)) return true;
  return source.type === AGENT_TYPE && isReadExecutor(executorOf(source));
}

function inputReason(node: N8nNode, scene: Scene): string | undefined {
  if (!readsChatInput(node)) return undefined;
  const before = (scene.mainTo.get(node.id) ?? []).find((link) => lacksInput(link.source));
  if (before === undefined) return undefined;
  return `it reads a chat input, which "${before.source.name}" before it does not give`;
}

/** Agents that fail on every run in the source itself (importers 4.9). */
export function cannotRunLosses(scene: Scene): Loss[] {
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    if (scene.roles.get(node.id)?.role !== 'node' || node.type !== AGENT_TYPE) continue;
    const reasons = [modelReason(node, scene), inputReason(node, scene)].filter(
      (reason) => reason !== undefined,
    );
    if (reasons.length === 0) continue;
    const detail = `"${node.name}" fails on every run in the source: ${reasons.join('; ')}.`;
    out.push({ ref: node.ref, kind: 'source_cannot_run', detail });
  }
  return out;
}

function matchesAll(node: N8nNode): boolean {
  const value = at(node.parameters, 'options', 'allMatchingOutputs');
  if (typeof value === 'string') {
    return readText(value).computed || value !== '';
  }
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

/** Switches that send an item to every matching output (importers 4.9). */
export function allMatchingLosses(scene: Scene): Loss[] {
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    const isSwitch = node.type === `${BASE}switch` && node.version >= 3;
    if (!isSwitch || scene.roles.get(node.id)?.role !== 'node') continue;
    if (!isRulesMode(node) || !matchesAll(node)) continue;
    const cases = new Set(
      (scene.outputs.get(node.id) ?? []).filter((o) => o.role === 'case').map((o) => o.position),
    );
    const links = scene.mainFrom.get(node.id) ?? [];
    const wired = new Set(links.map((link) => link.port).filter((port) => cases.has(port)));
    if (wired.size < 2) continue;
    const detail = `"${node.name}" sends an item to every output that matches; the draft follows edges one by one.`;
    out.push({ ref: node.ref, kind: 'branching_shape', detail });
  }
  return out;
}
