import type { JsonObject } from '../../../kernel/json.ts';
import type { Loss } from '../../graph-ir.ts';
import { hasText, type Value } from '../../value.ts';
import { attachmentLoss } from '../attachments.ts';
import { LANGCHAIN, type N8nLink, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import type { Scene } from '../scene.ts';

const WINDOW_DEFAULT = 5;
const MESSAGES_PER_TURN = 2;
const AUTOFIX = `${LANGCHAIN}outputParserAutofixing`;

function attached(node: N8nNode, type: string, scene: Scene): N8nNode | undefined {
  return scene.attachmentsTo.get(node.id)?.find((link) => link.type === type)?.source;
}

function windowOf(memory: N8nNode): number {
  const value = memory.parameters.get('contextWindowLength');
  const turns = typeof value === 'number' && value >= 1 ? Math.floor(value) : WINDOW_DEFAULT;
  return turns * MESSAGES_PER_TURN;
}

/** The `memory` block for the memory attached to an agent. */
export function memoryOf(node: N8nNode, scene: Scene): JsonObject | undefined {
  const memory = attached(node, 'ai_memory', scene);
  if (memory === undefined) return undefined;
  return { policy: 'sliding_window', max_messages: windowOf(memory) };
}

function literal(value: Value | undefined): string | undefined {
  if (!hasText(value)) return undefined;
  const reading = readText(value);
  return reading.computed ? undefined : reading.text;
}

function schemaText(parser: N8nNode): string | undefined {
  for (const key of ['inputSchema', 'jsonSchema']) {
    const schema = literal(parser.parameters.get(key));
    if (schema !== undefined) return `Answer with JSON that fits this schema:\n${schema}`;
  }
  const example = literal(parser.parameters.get('jsonSchemaExample'));
  return example === undefined ? undefined : `Answer with JSON like this example:\n${example}`;
}

function innerParser(parser: N8nNode, scene: Scene): N8nNode {
  if (parser.type !== AUTOFIX) return parser;
  return attached(parser, 'ai_outputParser', scene) ?? parser;
}

/** What an output parser asks of the answer, for the end of the prompt. */
export function answerShape(node: N8nNode, scene: Scene): string | undefined {
  const parser = attached(node, 'ai_outputParser', scene);
  return parser === undefined ? undefined : schemaText(innerParser(parser, scene));
}

function isCarrier(node: N8nNode, scene: Scene): boolean {
  const role = scene.roles.get(node.id);
  if (role?.role === 'tool') return role.agent !== undefined;
  return role?.role === 'node' && role.reader.carriesAttachments === true;
}

function parserLoss(link: N8nLink, scene: Scene): Loss | undefined {
  const inner = innerParser(link.source, scene);
  const parsesForParser = link.target.type === AUTOFIX;
  if (!parsesForParser && (schemaText(inner) === undefined || !isCarrier(link.target, scene))) {
    return attachmentLoss(link);
  }
  const detail = `The answer of "${link.target.name}" is shaped by "${link.source.name}"; the draft asks for that shape in the prompt.`;
  const todo = 'Check the answers; nothing enforces the shape.';
  return { ref: link.source.ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

function memoryLoss(link: N8nLink, scene: Scene): Loss | undefined {
  if (!isCarrier(link.target, scene)) return attachmentLoss(link);
  const detail = `"${link.source.name}" remembers the conversation for "${link.target.name}"; the draft keeps the last ${windowOf(link.source)} messages of a run.`;
  const todo = 'Decide where conversations are stored between runs.';
  return { ref: link.source.ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

/** What an attachment loses in the extended conversion (importers 14). */
export function extendedAttachmentLoss(link: N8nLink, scene: Scene): Loss | undefined {
  if (link.type === 'ai_memory') return memoryLoss(link, scene);
  if (link.type === 'ai_outputParser') return parserLoss(link, scene);
  return attachmentLoss(link);
}
