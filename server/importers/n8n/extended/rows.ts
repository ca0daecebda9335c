import type { Loss, Mechanism } from '../../graph-ir.ts';
import { textOf } from '../../value.ts';
import { AGENT_TYPE } from '../agents.ts';
import { isGapOnly } from '../attachments.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { FIRST_ROWS, NODE_READERS } from '../roles.ts';
import type { NodeReader, Role, RoleRow } from '../scene.ts';
import { EXTENDED_AGENT } from './agents.ts';
import { asClassifier, BRANCH, classesOf } from './branches.ts';
import { HUMAN } from './humans.ts';
import { llmReader } from './llm-agents.ts';
import { PASS_THROUGH, STOP } from './passing.ts';
import { stepSettings } from './run-settings.ts';
import { FUNCTION_STEP, functionDefinition, MERGE, SUBWORKFLOW } from './steps.ts';
import { toolRole } from './tools.ts';
import { WAIT } from './waits.ts';

const MECHANISMS: ReadonlyMap<string, Mechanism> = new Map<string, Mechanism>([
  [`${BASE}webhook`, 'webhook'],
  [`${BASE}formTrigger`, 'webhook'],
  [`${BASE}scheduleTrigger`, 'schedule'],
  [`${BASE}cron`, 'schedule'],
  [`${BASE}interval`, 'schedule'],
  [`${BASE}manualTrigger`, 'manual'],
  [`${BASE}start`, 'manual'],
  [`${BASE}evaluationTrigger`, 'manual'],
  [`${BASE}emailReadImap`, 'event'],
  [`${LANGCHAIN}chatTrigger`, 'webhook'],
  [`${LANGCHAIN}manualChatTrigger`, 'manual'],
  [`${LANGCHAIN}mcpTrigger`, 'webhook'],
]);

const PASSED: ReadonlySet<string> = new Set([
  `${BASE}noOp`,
  `${BASE}respondToWebhook`,
  `${BASE}executionData`,
  `${BASE}stickyNote`,
]);

/** Type → reader, for types whose form does not depend on their parameters. */
const READERS: ReadonlyMap<string, NodeReader> = new Map<string, NodeReader>([
  [AGENT_TYPE, EXTENDED_AGENT],
  [`${BASE}if`, BRANCH],
  [`${BASE}switch`, BRANCH],
  [`${BASE}wait`, WAIT],
  [`${BASE}stopAndError`, STOP],
  [`${BASE}executeWorkflow`, SUBWORKFLOW],
]);

const LOOP = `${BASE}splitInBatches`;

/**
 * A step carries its run-time settings; an element that only passes flow on has none that could be
 * lost.
 */
function asStep(reader: NodeReader): Role {
  return { role: 'node', reader: { ...reader, step: stepSettings } };
}

function asPassing(reader: NodeReader): Role {
  return { role: 'node', reader: { ...reader, harmless: true } };
}

export const attachmentRow: RoleRow = (node, wiring) => {
  const links = wiring.attachmentsFrom.get(node.id) ?? [];
  return links.some((link) => isGapOnly(link.type)) ? { role: 'attachment' } : undefined;
};

const LOOSE_TOOL = /(?:Tool|\.tool[A-Z]\w*|\.mcpClientTool)$/;

/** An element that is offered as a tool; one that stands in the flow and is no tool stays there. */
export const offeredRow: RoleRow = (node, wiring) => {
  if (wiring.doc.onMain.has(node.id) && !LOOSE_TOOL.test(node.type)) return undefined;
  const links = wiring.attachmentsFrom.get(node.id) ?? [];
  return links.some((link) => link.type === 'ai_tool') ? toolRole(node) : undefined;
};

/** True for a type that starts runs. */
export function isTrigger({ type }: N8nNode): boolean {
  return MECHANISMS.has(type) || type.endsWith('Trigger');
}

export const triggerRow: RoleRow = (node) => {
  const mechanism = MECHANISMS.get(node.type) ?? 'event';
  return isTrigger(node) ? { role: 'entry', mechanism } : undefined;
};

export const looseToolRow: RoleRow = (node, wiring) => {
  if (wiring.doc.onMain.has(node.id) || !LOOSE_TOOL.test(node.type)) return undefined;
  return toolRole(node);
};

function asksPerson(node: N8nNode): boolean {
  if (node.parameters.get('operation') === 'sendAndWait') return true;
  if (node.type === `${BASE}form`) return node.parameters.get('operation') !== 'completion';
  return node.type === `${LANGCHAIN}chat` && node.parameters.get('waitUserReply') !== false;
}

const HUMAN_ROLE = asStep(HUMAN);

export const humanRow: RoleRow = (node) => (asksPerson(node) ? HUMAN_ROLE : undefined);

const PASSED_ROLE = asPassing(PASS_THROUGH);

/** True for an element that gives its input on, whatever else it does. */
export function isPassing({ type }: N8nNode): boolean {
  return PASSED.has(type) || type === `${BASE}form` || type === `${LANGCHAIN}chat`;
}

const passedRow: RoleRow = (node) => (isPassing(node) ? PASSED_ROLE : undefined);

const loopRow: RoleRow = (node) => {
  const reader = NODE_READERS.get(LOOP);
  if (node.type !== LOOP || reader === undefined) return undefined;
  return asPassing({
    ...reader,
    payload: (n, scene) => {
      const payload = reader.payload(n, scene);
      return payload.kind === 'loop' ? { ...payload, gate: functionDefinition(n) } : payload;
    },
  });
};

const READER_ROLES: ReadonlyMap<string, Role> = new Map(
  [...READERS].map(([type, reader]): [string, Role] => [
    type,
    reader === BRANCH || reader === STOP ? asPassing(reader) : asStep(reader),
  ]),
);

const readerRow: RoleRow = (node) => READER_ROLES.get(node.type);

export const llmRow: RoleRow = (node) => {
  const reader = llmReader(node);
  if (reader === undefined) return undefined;
  return asStep(classesOf(node) === undefined ? reader : asClassifier(reader));
};

const NOT_CONNECTED: readonly RegExp[] = [
  /\.lm[A-Z]\w*$/,
  /\.memory[A-Z]\w*$/,
  /\.outputParser[A-Z]\w*$/,
  /\.embeddings[A-Z]\w*$/,
  /\.textSplitter[A-Z]\w*$/,
  /\.document[A-Z]\w*Loader$/,
  /\.retriever[A-Z]\w*$/,
];

function looseLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" (${textOf(node.type) ?? ''}) is attached to nothing, so the source never used it.`;
  const todo = 'Nothing to do.';
  return { ref: node.ref, kind: 'carried_as', severity: 'info', detail, todo };
}

/** A model, memory or parser that nothing uses. */
export const looseRow: RoleRow = (node, wiring) => {
  if (wiring.doc.onMain.has(node.id)) return undefined;
  if (!NOT_CONNECTED.some((pattern) => pattern.test(node.type))) return undefined;
  return { role: 'attachment', losses: () => [looseLoss(node)] };
};

const LLM_TYPES: ReadonlySet<string> = new Set(
  ['agent', 'chainLlm', 'openAi', 'informationExtractor', 'chainSummarization'].map(
    (type) => LANGCHAIN + type,
  ),
);

/** A merge that only puts the answers of agents one after the other. */
const mergeRow: RoleRow = (node, wiring) => {
  const mode = node.parameters.get('mode');
  if (node.type !== `${BASE}merge` || (mode !== undefined && mode !== 'append')) return undefined;
  const before = wiring.mainTo.get(node.id) ?? [];
  const isPlain = before.length > 0 && before.every((link) => LLM_TYPES.has(link.source.type));
  return isPlain ? asPassing(MERGE) : undefined;
};

const FUNCTION_ROLE = asStep(FUNCTION_STEP);
const GATHERING_ROLE = asStep({ ...FUNCTION_STEP, gathers: true });

const functionRow: RoleRow = (node) =>
  node.type === `${BASE}merge` ? GATHERING_ROLE : FUNCTION_ROLE;

/** The table of roles of the extended conversion (importers 14), first match wins. */
export const EXTENDED_ROWS: readonly RoleRow[] = [
  ...FIRST_ROWS,
  attachmentRow,
  offeredRow,
  triggerRow,
  looseToolRow,
  humanRow,
  passedRow,
  loopRow,
  llmRow,
  readerRow,
  looseRow,
  mergeRow,
  functionRow,
];
