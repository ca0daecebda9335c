import { AGENT_TYPE } from '../agents.ts';
import { BASE, type N8nNode } from '../document.ts';
import { EXTENDED_AGENT } from '../extended/agents.ts';
import { PASS_THROUGH } from '../extended/passing.ts';
import {
  attachmentRow,
  humanRow,
  isPassing,
  isTrigger,
  llmRow,
  looseRow,
  looseToolRow,
  offeredRow,
  triggerRow,
} from '../extended/rows.ts';
import { stepSettings } from '../extended/run-settings.ts';
import { WAIT } from '../extended/waits.ts';
import { FIRST_ROWS, roleOf } from '../roles.ts';
import type { NodeReader, Role, RoleRow, Wiring } from '../scene.ts';
import { CALLING, isCalling } from './calling.ts';
import { calls, HANDLED, HELD, rowOf, runsHere } from './handled.ts';

/** The handler that gives its items on. */
export const PASSING = 'n8n.noOp';

/** Type → reader of what is a step of its own kind in every draft. */
const READERS: ReadonlyMap<string, NodeReader> = new Map([
  [AGENT_TYPE, EXTENDED_AGENT],
  [`${BASE}wait`, WAIT],
]);

function asNode(reader: NodeReader): Role {
  return { role: 'node', reader };
}

/** A step whose failures are handled as those of every step of a draft. */
function asStep(reader: NodeReader): Role {
  return asNode({ ...reader, step: stepSettings });
}

const HANDLED_ROLE = asNode({ ...HANDLED, harmless: true });
const CALLING_ROLE = asNode({ ...CALLING, harmless: true });
const HELD_ROLE = asStep(HELD);
const PASSED_ROLE = asNode({ ...PASS_THROUGH, payload: () => calls(PASSING), harmless: true });

/** True for an element that stands beside the flow, as a part of another one. */
function isAttached(node: N8nNode, wiring: Wiring): boolean {
  return !wiring.doc.onMain.has(node.id) && wiring.attachmentsFrom.has(node.id);
}

/** A step that a built-in handler runs: no trigger, no question to a person. */
const handledRow: RoleRow = (node, wiring) => {
  if (!runsHere(node) || isTrigger(node) || isAttached(node, wiring)) return undefined;
  if (node.parameters.get('operation') === 'sendAndWait') return undefined;
  return isCalling(node) ? CALLING_ROLE : HANDLED_ROLE;
};

/** True for an element that only gives its input on. */
export function isPassed(role: Role | undefined): boolean {
  return role === PASSED_ROLE;
}

/** True for a step that a built-in handler runs. */
export function isHandled(role: Role | undefined): boolean {
  return role === HANDLED_ROLE || role === CALLING_ROLE;
}

const besideRow: RoleRow = (node, wiring) =>
  isAttached(node, wiring) ? attachmentRow(node, wiring) : undefined;

const passedRow: RoleRow = (node) => (isPassing(node) ? PASSED_ROLE : undefined);

const readerRow: RoleRow = (node) => {
  const reader = READERS.get(node.type);
  return reader && asStep(reader);
};

const heldRow: RoleRow = () => HELD_ROLE;

/** The table of roles of a flow of items (importers 14), first match wins. */
export const ITEM_ROWS: readonly RoleRow[] = [
  ...FIRST_ROWS,
  handledRow,
  besideRow,
  offeredRow,
  triggerRow,
  looseToolRow,
  humanRow,
  passedRow,
  llmRow,
  readerRow,
  looseRow,
  heldRow,
];

/** Handlers that a flow of texts needs none of. */
const TEXT_TYPES: ReadonlySet<string> = new Set([`${BASE}noOp`, `${BASE}executionData`]);

/** True for an element that can be a step of a flow: no note, no part of another one, no tool. */
function isFlowing({ role }: Role): boolean {
  return role === 'node' || role === 'deactivated' || role === 'entry';
}

/** True for an element that runs as in the source in a flow of items alone. */
function asksForItems(node: N8nNode, role: Role): boolean {
  return isHandled(role) && !TEXT_TYPES.has(node.type);
}

/** True for an element that is no step of a flow of texts, and runs in one of items. */
function handsOn(role: Role): boolean {
  const { role: name } = role;
  return name === 'deactivated' || name === 'entry' || isPassed(role) || isHandled(role);
}

/**
 * The roles of a document that becomes a flow of items: it has a step with a built-in handler, or a trigger whose items another step
 * than an agent, a model or a person gets, or items pinned in the place of what a step would give, or
 * that hands its items on only, if it is but a trigger. Undefined for another one.
 */
export function itemRoles(wiring: Wiring): ReadonlyMap<string, Role> | undefined {
  const roles = wiring.doc.nodes.map((node) => ({
    node,
    role: roleOf(node, wiring, ITEM_ROWS),
  }));
  if (!suitsItems(wiring, roles)) return undefined;
  return new Map(roles.map(({ node, role }) => [node.id, role]));
}

interface WithRole {
  readonly node: N8nNode;
  readonly role: Role;
}

function suitsItems(wiring: Wiring, roles: readonly WithRole[]): boolean {
  const flowing = roles.filter(({ role }) => isFlowing(role));
  if (flowing.some(({ node, role }) => asksForItems(node, role))) return true;
  const { pinned, onMain } = wiring.doc;
  const isPinned = ({ node, role }: WithRole): boolean =>
    role.role === 'node' && onMain.has(node.id) && pinned.has(node.name);
  if (flowing.some(isPinned)) return true;
  const triggers = flowing.filter(({ node, role }) => role.role === 'entry' && rowOf(node));
  if (triggers.length > 0 && flowing.some(({ role }) => role === HELD_ROLE)) return true;
  const isAlone = roles.every(({ role }) => isFlowing(role) || role.role === 'note');
  const begins = triggers.length > 0 || wiring.mainFrom.size > 0;
  return isAlone && begins && flowing.every(({ role }) => handsOn(role));
}
