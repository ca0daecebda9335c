import type { BlockName } from '../schema/field-help.ts';
import type { SnippetHand } from './snippets.ts';

type Body = string | readonly Body[] | { readonly [key: string]: Body };

/** A place that is typed over; one of the same number follows it. */
function stop(at: number, text: string): string {
  return `\${${at}:${text}}`;
}

const FIRST = stop(1, 'first');
const SECOND = stop(3, 'second');

function agentStep(id: string, ref: string): Body {
  return { id, kind: 'agent', ref };
}

const STEPS: readonly Body[] = [
  agentStep(FIRST, stop(2, 'agent')),
  agentStep(SECOND, stop(4, 'agent')),
];

/** A whole workflow of each kind, with two steps; a stop that comes twice is typed once. */
const BODIES = {
  sequential: { type: 'sequential', steps: STEPS },
  graph: {
    type: 'graph',
    start: FIRST,
    nodes: {
      [FIRST]: agentStep(FIRST, stop(2, 'agent')),
      [SECOND]: agentStep(SECOND, stop(4, 'agent')),
    },
    edges: [{ from: FIRST, to: SECOND }],
  },
  concurrent: { type: 'concurrent', participants: STEPS },
  handoff: {
    type: 'handoff',
    participants: STEPS,
    selector: { type: 'sequence', sequence: [FIRST, SECOND] },
  },
  'group-chat': { type: 'group-chat', participants: STEPS, rounds: stop(5, '2') },
} as const satisfies Partial<Record<BlockName, Body>>;

/** A kind of workflow that can be written at once. */
export type WrittenKind = keyof typeof BODIES;

export const WRITTEN_KINDS: readonly WrittenKind[] = [
  'sequential',
  'graph',
  'concurrent',
  'handoff',
  'group-chat',
];

function isList(body: Body): body is readonly Body[] {
  return Array.isArray(body);
}

function flowText(body: Body, json: boolean, bare: boolean): string {
  if (typeof body === 'string') return json && !bare ? `"${body}"` : body;
  if (isList(body)) return `[${body.map((item) => flowText(item, json, false)).join(', ')}]`;
  const entries = Object.entries(body).map(([key, value]) => {
    const isNumber = key === 'rounds';
    return `${json ? `"${key}"` : key}: ${flowText(value, json, isNumber)}`;
  });
  return `{${entries.join(', ')}}`;
}

/** The lines of a mapping or list; small mappings of texts stand on one line. */
function blockLines(body: Exclude<Body, string>): string[] {
  if (isList(body)) return body.map((item) => `- ${flowText(item, false, true)}`);
  return Object.entries(body).flatMap(([key, value]) => {
    const nested = typeof value !== 'string' && (key === 'nodes' || isList(value));
    if (!nested || key === 'sequence') return [`${key}: ${flowText(value, false, true)}`];
    return [`${key}:`, ...blockLines(value).map((line) => `  ${line}`)];
  });
}

/** The fields of a workflow of a kind, for a place that has none yet. */
export function workflowFields(kind: WrittenKind, hand: SnippetHand): string {
  const body = BODIES[kind];
  if (hand.style !== 'block') return flowText(body, hand.style === 'json', false).slice(1, -1);
  return blockLines(body).join(`\n${hand.pad}`);
}

/** A workflow of a kind under its key. */
export function workflowEntry(key: string, kind: WrittenKind, hand: SnippetHand): string {
  if (hand.style !== 'block') {
    const json = hand.style === 'json';
    return `${json ? `"${key}"` : key}: ${flowText(BODIES[kind], json, false)}`;
  }
  const inner = `\n${hand.pad}  `;
  return `${key}:${inner}${blockLines(BODIES[kind]).join(inner)}`;
}
