// Exports of n8n for the extended importer, in few words.
import type { Analysis } from '../analysis.ts';
import { analyze } from '../analyze.ts';

export const AGENT = '@n8n/n8n-nodes-langchain.agent';
export const SET = 'n8n-nodes-base.set';
export const TRIGGER = 'n8n-nodes-base.manualTrigger';

export interface Element {
  readonly type?: string;
  readonly version?: number;
  readonly parameters?: object;
  readonly onError?: string;
  /** Targets by output. */
  readonly to?: readonly (readonly string[])[];
}

export function convert(elements: Readonly<Record<string, Element>>): Analysis {
  const nodes = Object.entries(elements).map(([name, element], i) => ({
    id: `id-${i}`,
    name,
    type: element.type ?? 'n8n-nodes-base.slack',
    typeVersion: element.version ?? 1,
    parameters: element.parameters ?? {},
    onError: element.onError ?? null,
    position: [i * 200, 0],
  }));
  const connections: Record<string, object> = {};
  for (const [name, { to }] of Object.entries(elements)) {
    if (to === undefined) continue;
    connections[name] = {
      main: to.map((port) => port.map((node) => ({ node, type: 'main', index: 0 }))),
    };
  }
  const raw = JSON.stringify({ nodes, connections });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

export function kindsOf(outcome: Analysis, name: string): string[] {
  const gaps = outcome.gaps.filter((gap) => gap.source_ref.source_label === name);
  return gaps.map((gap) => `${gap.severity} ${gap.kind}`);
}

/** A decision that cannot be carried. */
export const UNDECIDED: Element = {
  type: 'n8n-nodes-base.if',
  version: 2,
  parameters: {
    conditions: {
      combinator: 'and',
      conditions: [
        {
          leftValue: '={{ $json.status }}',
          rightValue: 'done',
          operator: { type: 'string', operation: 'equals' },
        },
      ],
    },
  },
};

export function workflowsOf(outcome: Analysis): Record<string, unknown> {
  return (outcome.spec['components'] as { workflows: Record<string, unknown> }).workflows;
}

export const start: Element = { type: TRIGGER, to: [['a']] };
