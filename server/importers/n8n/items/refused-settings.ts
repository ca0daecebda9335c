import { isJsonObject } from '../../../kernel/json.ts';
import type { Loss } from '../../graph-ir.ts';
import { BASE, type N8nNode } from '../document.ts';
import type { Scene } from '../scene.ts';

/** Settings without which the source begins no run, by the type. */
const REQUIRED: ReadonlyMap<string, string> = new Map([
  [`${BASE}httpRequest`, 'url'],
  [`${BASE}splitOut`, 'fieldToSplitOut'],
]);
const SET = `${BASE}set`;
/** From this version on Edit Fields may have its fields as JSON. */
const SET_WITH_JSON = 3;

function isJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** What of the settings of a node makes the source refuse every run, in words. */
function refusedIn(node: N8nNode): string | undefined {
  const { type, version, parameters } = node;
  const required = REQUIRED.get(type);
  if (required !== undefined && (parameters.get(required) ?? '') === '')
    return `"${required}" is empty`;
  if (type !== SET || version < SET_WITH_JSON || parameters.get('mode') !== 'raw') return undefined;
  const text = parameters.get('jsonOutput');
  if (typeof text !== 'string' || text.startsWith('=') || isJson(text)) return undefined;
  return '"jsonOutput" is no JSON object';
}

/** Nodes that a trigger leads to, or the whole file where there is none. */
function reached({ doc, roles, mainFrom }: Scene): ReadonlySet<N8nNode> {
  const entries = doc.nodes.filter((node) => roles.get(node.id)?.role === 'entry');
  const found = new Set(entries.length > 0 ? entries : doc.nodes);
  for (const node of found) for (const { target } of mainFrom.get(node.id) ?? []) found.add(target);
  return found;
}

/** Settings that make the source refuse a run before its first node, wherever they stand on the way. */
export function refusedSettings(scene: Scene): Loss[] {
  const onWay = reached(scene);
  return scene.doc.nodes.flatMap((node): Loss[] => {
    const why = node.disabled || !onWay.has(node) ? undefined : refusedIn(node);
    if (why === undefined) return [];
    const detail = `The source begins no run that may come to "${node.name}": ${why}.`;
    const todo = 'Say what is meant before you rely on it.';
    return [{ ref: node.ref, kind: 'source_cannot_run', detail, todo }];
  });
}
