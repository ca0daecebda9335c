import type { AgentPayload, Field, Loss, ModelField, Setting } from '../graph-ir.ts';
import { at, hasText, type Value } from '../value.ts';
import { LANGCHAIN, type N8nNode } from './document.ts';
import { describe, readText, textField } from './expressions.ts';
import { identifierField, setting, sortedOptions } from './models.ts';
import type { Scene } from './scene.ts';

export const AGENT_TYPE = `${LANGCHAIN}agent`;
const READ_EXECUTORS: ReadonlySet<string> = new Set(['toolsAgent', 'openAiFunctionsAgent']);
const CHAT_INPUT_EXECUTORS: ReadonlySet<string> = new Set([
  'toolsAgent',
  'openAiFunctionsAgent',
  'conversationalAgent',
  'reActAgent',
  'planAndExecuteAgent',
]);
const INSTRUCTIONS: Readonly<Record<string, readonly string[]>> = {
  reActAgent: ['prefix', 'suffix', 'suffixChat', 'humanMessageTemplate'],
  planAndExecuteAgent: ['humanMessageTemplate'],
  sqlAgent: ['prefixPrompt', 'suffixPrompt'],
  conversationalAgent: ['humanMessage', 'systemMessage'],
};
const DEFAULT_PROMPT = 'You are a helpful assistant';
const DEFAULT_ITERATIONS = 10;

/** The executor of an agent; null when its value cannot be read. */
export function executorOf(node: N8nNode): string | null {
  const value = node.parameters.get('agent');
  if (value === undefined || value === null) {
    return node.version <= 1.5 ? 'conversationalAgent' : 'toolsAgent';
  }
  if (typeof value !== 'string') return null;
  const reading = readText(value);
  return reading.computed ? null : reading.text;
}

/** True for an agent whose executor is a loop over tools. */
export function isReadExecutor(executor: string | null): boolean {
  return executor !== null && READ_EXECUTORS.has(executor);
}

/** True when the agent takes the run's chat input instead of its own prompt text. */
export function readsChatInput(node: N8nNode): boolean {
  if (node.version <= 1.2) return false;
  const executor = executorOf(node);
  if (executor === null || !CHAT_INPUT_EXECUTORS.has(executor)) return false;
  const promptType = node.parameters.get('promptType') ?? 'auto';
  if (typeof promptType !== 'string') return false;
  const reading = readText(promptType);
  return !reading.computed && reading.text === 'auto';
}

function promptField(node: N8nNode, executor: string | null): Field<string> {
  const value = at(node.parameters, 'options', 'systemMessage');
  if (value !== undefined && value !== null) return textField(value);
  if (executor === 'toolsAgent') {
    return { state: 'resolved', value: DEFAULT_PROMPT, provenance: 'source_default' };
  }
  return { state: 'unresolved', cause: 'unknown_default', display: '', embedded: false };
}

function unmapped(value: Value): Field<number> {
  if (typeof value !== 'string') {
    return { state: 'unresolved', cause: 'unmapped', display: describe(value), embedded: false };
  }
  const reading = readText(value);
  const cause = reading.computed ? 'expression' : 'unmapped';
  return { state: 'unresolved', cause, display: reading.text, embedded: false };
}

function boundField(node: N8nNode, read: boolean): Field<number> {
  const value = at(node.parameters, 'options', 'maxIterations');
  if (typeof value === 'number') return { state: 'resolved', value, provenance: 'authored' };
  if (value !== undefined && value !== null) return unmapped(value);
  if (read) return { state: 'resolved', value: DEFAULT_ITERATIONS, provenance: 'source_default' };
  if (value === null) return unmapped(null);
  return { state: 'unresolved', cause: 'unknown_default', display: '', embedded: false };
}

function agentSettings(node: N8nNode, executor: string | null): Setting[] {
  const instructions = INSTRUCTIONS[executor ?? ''] ?? [];
  const out: Setting[] = [];
  for (const [key, value] of sortedOptions(node)) {
    const isDefault = key === 'returnIntermediateSteps' && value === null;
    if (key === 'systemMessage' || key === 'maxIterations' || isDefault) continue;
    out.push(setting(key, value, instructions.includes(key) ? 'instruction' : null));
  }
  const dataSource = node.parameters.get('dataSource');
  if (executor === 'sqlAgent' && dataSource !== undefined && dataSource !== null) {
    out.push(setting('dataSource', dataSource, 'data_source'));
  }
  return out;
}

/** The agent's own model parameter wins over an attached model; its provider is not known. */
function modelField(node: N8nNode, scene: Scene): ModelField {
  const own = identifierField(node.parameters.get('model'));
  if (own.state !== 'absent') {
    return { state: 'named', provider: null, providerUnresolved: false, identifier: own };
  }
  return scene.folded.get(node.id)?.field ?? { state: 'none' };
}

/** Reads an agent node (importers 4.7). */
export function readAgent(node: N8nNode, scene: Scene): AgentPayload {
  const executor = executorOf(node);
  const read = isReadExecutor(executor);
  const text = textField(node.parameters.get('text'));
  return {
    execution: { read, display: executor ?? 'an unreadable value' },
    model: modelField(node, scene),
    prompt: promptField(node, executor),
    runInput: readsChatInput(node) ? { state: 'absent' } : text,
    bound: boundField(node, read),
    settings: agentSettings(node, executor),
    modelSettings: scene.folded.get(node.id)?.settings ?? [],
  };
}

/** Prompt texts that the agent's version never reads (importers 4.7). */
export function unreadTexts(scene: Scene): Loss[] {
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    const role = scene.roles.get(node.id);
    if (role?.role !== 'node' || node.type !== AGENT_TYPE) continue;
    const common = { ref: node.ref, kind: 'parameters_not_carried', effective: false } as const;
    if (readsChatInput(node) && hasText(node.parameters.get('text'))) {
      const detail = `"${node.name}" holds a prompt text, but it takes the chat input of the run; the text was never used.`;
      out.push({ ...common, subject: 'run_input', detail });
    }
    if (hasText(node.parameters.get('systemMessage'))) {
      const detail = `"${node.name}" holds a system message outside its options, where it was never used.`;
      out.push({ ...common, subject: 'system_prompt', detail });
    }
  }
  return out;
}
