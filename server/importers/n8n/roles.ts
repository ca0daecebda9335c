import type { Loss, Mechanism, NodePayload, ToolKind } from '../graph-ir.ts';
import { unparseable } from '../source-refused.ts';
import { at, textOf } from '../value.ts';
import { AGENT_TYPE, readAgent } from './agents.ts';
import { isGapOnly } from './attachments.ts';
import { displayBranch } from './conditions.ts';
import { BASE, LANGCHAIN, type N8nNode, NOTE_TYPE } from './document.ts';
import { readText } from './expressions.ts';
import { fixedOutputs, switchOutputs } from './outputs.ts';
import type { NodeReader, Role, RoleRow, Scene } from './scene.ts';

const TRIGGERS: ReadonlyMap<string, Mechanism> = new Map<string, Mechanism>([
  [`${BASE}webhook`, 'webhook'],
  [`${BASE}scheduleTrigger`, 'schedule'],
  [`${BASE}cron`, 'schedule'],
  [`${BASE}manualTrigger`, 'manual'],
  [`${BASE}start`, 'manual'],
  [`${BASE}executeWorkflowTrigger`, 'event'],
  [`${BASE}errorTrigger`, 'event'],
  [`${LANGCHAIN}chatTrigger`, 'webhook'],
]);

const TOOLS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  [`${LANGCHAIN}toolHttpRequest`, 'http'],
  [`${LANGCHAIN}toolCode`, 'function'],
]);

const FIRST_PARTY = [BASE, LANGCHAIN];

function literalText(node: N8nNode, field: string): string {
  const value = textOf(node.parameters.get(field));
  const reading = readText(value ?? '');
  return reading.computed ? '' : reading.text;
}

function loopCap(node: N8nNode): number | null {
  for (const key of ['maxIterations', 'max_steps']) {
    const value = node.parameters.get(key);
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  }
  return null;
}

/** The outputs of a switch; one that cannot be told ends the conversion. */
function strictSwitchOutputs(node: N8nNode): ReturnType<typeof fixedOutputs> {
  const read = switchOutputs(node);
  if (read.ok) return read.outputs;
  throw unparseable(read.message, {
    node: node.name,
    field: read.field,
    locator: `${node.ref.locator}.parameters.${read.field}`,
  });
}

function branchPayload(node: N8nNode): NodePayload {
  return { kind: 'branch', display: displayBranch(node), translated: false };
}

/** The element types that become nodes, with their readers (importers 4.2). */
export const NODE_READERS: ReadonlyMap<string, NodeReader> = new Map<string, NodeReader>([
  [
    AGENT_TYPE,
    {
      payload: (node, scene) => ({ kind: 'agent', ...readAgent(node, scene) }),
      closedOutputs: true,
    },
  ],
  [
    `${BASE}httpRequest`,
    {
      payload: (node) => {
        const method = literalText(node, 'method') || literalText(node, 'requestMethod');
        return { kind: 'http', display: method === '' ? 'GET' : method };
      },
      closedOutputs: true,
    },
  ],
  [
    `${BASE}code`,
    {
      payload: (node) => ({
        kind: 'code',
        language: literalText(node, 'language') || 'javaScript',
      }),
      closedOutputs: true,
    },
  ],
  [
    `${BASE}function`,
    { payload: () => ({ kind: 'code', language: 'javaScript' }), closedOutputs: true },
  ],
  [`${BASE}if`, { payload: branchPayload, outputs: fixedOutputs, closedOutputs: true }],
  [`${BASE}switch`, { payload: branchPayload, outputs: strictSwitchOutputs, closedOutputs: true }],
  [
    `${BASE}splitInBatches`,
    {
      payload: (node) => ({ kind: 'loop', cap: loopCap(node) }),
      outputs: fixedOutputs,
      closedOutputs: true,
    },
  ],
  [
    `${BASE}executeWorkflow`,
    { payload: (node) => ({ kind: 'subworkflow', reference: workflowReference(node) }) },
  ],
]);

/** What a sub-workflow call points at, for the eye. */
export function workflowReference(node: N8nNode): string {
  const value = node.parameters.get('workflowId');
  const shown =
    textOf(at(value, 'cachedResultName')) ?? textOf(at(value, 'value')) ?? textOf(value) ?? '';
  const reading = readText(shown);
  return reading.computed ? '' : reading.text;
}

/** Ids and names that the called workflow may have; none when the source computes them. */
export function calledWorkflow(node: N8nNode): string[] {
  const value = node.parameters.get('workflowId');
  const given = [at(value, 'value'), at(value, 'cachedResultName'), value];
  const texts = given.map((item) => textOf(item)).filter((text) => text !== undefined);
  return [...new Set(texts)].filter((text) => text !== '' && !readText(text).computed);
}

function unknownLosses(node: N8nNode): Loss[] {
  const own = FIRST_PARTY.some((prefix) => node.type.startsWith(prefix));
  const detail = own
    ? `"${node.name}" is a built-in element without a counterpart (${node.type}).`
    : `"${node.name}" comes from a third-party package (${node.type}); what it does is not known.`;
  return [{ ref: node.ref, kind: 'proprietary_node', detail }];
}

const UNKNOWN: NodeReader = {
  losses: unknownLosses,
  payload: () => ({ kind: 'unknown' }),
  mayStart: true,
};

const noteRow: RoleRow = (node) => (node.type === NOTE_TYPE ? { role: 'note' } : undefined);

const disabledRow: RoleRow = (node) => (node.disabled ? { role: 'deactivated' } : undefined);

const modelRow: RoleRow = (node, wiring) => {
  const links = wiring.attachmentsFrom.get(node.id) ?? [];
  return links.some((link) => link.type === 'ai_languageModel') ? { role: 'model' } : undefined;
};

const triggerRow: RoleRow = (node) => {
  const mechanism = TRIGGERS.get(node.type);
  return mechanism === undefined ? undefined : { role: 'entry', mechanism };
};

const toolRow: RoleRow = (node) => {
  const kind = TOOLS.get(node.type);
  return kind === undefined ? undefined : { role: 'tool', kind };
};

const attachmentRow: RoleRow = (node, wiring) => {
  const links = wiring.attachmentsFrom.get(node.id) ?? [];
  return links.some((link) => isGapOnly(link.type)) ? { role: 'attachment' } : undefined;
};

const readerRow: RoleRow = (node) => {
  const reader = NODE_READERS.get(node.type);
  return reader === undefined ? undefined : { role: 'node', reader };
};

const unknownRow: RoleRow = () => ({ role: 'node', reader: UNKNOWN });

/** The rows that come before any handler: notes, switched-off elements, models. */
export const FIRST_ROWS: readonly RoleRow[] = [noteRow, disabledRow, modelRow];

/** The base table of roles (importers 4.2), after `FIRST_ROWS`. */
export const BASE_ROWS: readonly RoleRow[] = [
  triggerRow,
  toolRow,
  attachmentRow,
  readerRow,
  unknownRow,
];

/** The first row that answers; the last row answers for every node. */
export function roleOf(
  node: N8nNode,
  wiring: Scene | Parameters<RoleRow>[1],
  rows: readonly RoleRow[],
): Role {
  for (const row of rows) {
    const role = row(node, wiring);
    if (role !== undefined) return role;
  }
  return { role: 'node', reader: UNKNOWN };
}
