import { secretsInText } from '../../kernel/secrets-in-text.ts';
import { buildGraph } from '../elements/graph.ts';
import { secretLosses } from '../elements/secrets.ts';
import type { Graph, Loss } from '../graph-ir.ts';
import { hasText, type Value } from '../value.ts';
import { type FlowiseDocument, loadFlowise } from './load.ts';
import { loopWires } from './loops.ts';
import { readElement } from './roles.ts';

const CREDENTIAL = /^(?:credential|FLOWISE_CREDENTIAL_ID)$/;

/** True for the id of a credential; one that is written in its place is none. */
function namesCredential(key: string, value: Value): boolean {
  return CREDENTIAL.test(key) && (typeof value !== 'string' || secretsInText(value).length === 0);
}

const FILE = { source_id: 'workflow:settings', source_label: 'flow', locator: '$' };

/** Credentials that the file refers to by their ids. */
function credentialsIn(value: Value, out: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) credentialsIn(item, out);
  if (!(value instanceof Map)) return out;
  for (const [key, item] of value) {
    if (namesCredential(key, item) && hasText(item)) out.push(item);
    else credentialsIn(item, out);
  }
  return out;
}

function danglingLosses({ edges }: FlowiseDocument): Loss[] {
  return edges.flatMap(({ index, wire, label }): Loss[] => {
    if (wire !== undefined) return [];
    const source_id = `edge:${index}`;
    const ref = { source_id, source_label: `connection ${index}`, locator: `$.edges[${index}]` };
    const detail = `Connection ${index} (${label}) ends at an element that is not in the file.`;
    return [{ ref, kind: 'source_repaired', severity: 'manual', detail }];
  });
}

/** Converts a parsed AgentFlow V2 export into the neutral graph (importers 16). */
export function convertFlowise(root: Value): { graph: Graph; doc: FlowiseDocument } {
  const doc = loadFlowise(root);
  const literals = new Set<string>();
  const losses = [
    ...secretLosses(doc.elements, { root, ref: FILE }, literals, namesCredential),
    ...danglingLosses(doc),
  ];
  const credentials = doc.elements.flatMap(({ settings }) => credentialsIn(settings));
  const whole = { ...doc, wires: [...doc.wires, ...loopWires(doc)] };
  return { doc, graph: buildGraph(whole, readElement, { literals, credentials, losses }) };
}
