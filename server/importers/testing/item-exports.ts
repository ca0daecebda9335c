// Exports of n8n for flows of items, in few words.
import type { Analysis } from '../analysis.ts';
import { analyze } from '../analyze.ts';

export const BASE = 'n8n-nodes-base.';
export const AGENT = '@n8n/n8n-nodes-langchain.agent';

export interface Made {
  readonly type?: string;
  readonly version?: number;
  readonly parameters?: object;
  readonly at?: readonly [number, number];
  /** Targets by output; `b#1` is the second input of `b`. */
  readonly to?: readonly (readonly string[])[];
  /** Members of the node beside these. */
  readonly more?: object;
}

export function linkTo(word: string): object {
  const [node, index] = word.split('#');
  return { node, type: 'main', index: Number(index ?? 0) };
}

export function textOf(elements: Readonly<Record<string, Made>>, workflow: object = {}): string {
  const nodes = Object.entries(elements).map(([name, made], i) => ({
    id: `id-${name}`,
    name,
    type: made.type ?? `${BASE}set`,
    typeVersion: made.version ?? 3.4,
    parameters: made.parameters ?? {},
    position: made.at ?? [i * 200, 0],
    ...made.more,
  }));
  const connections = Object.fromEntries(
    Object.entries(elements).flatMap(([name, { to }]) =>
      to === undefined ? [] : [[name, { main: to.map((port) => port.map(linkTo)) }]],
    ),
  );
  return JSON.stringify({ name: 'Desk', nodes, connections, ...workflow });
}

export function analysisOf(raw: string): Analysis {
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

export const trigger: Made = { type: `${BASE}manualTrigger`, version: 1, to: [['a']] };
