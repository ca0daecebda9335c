import type { JsonObject } from '../../kernel/json.ts';
import { parseJsonTree } from '../../spec/yaml/json-nodes.ts';
import { formatOfFile, readDocument } from '../../spec/yaml/parse-yaml.ts';
import type { SourceNode } from '../../spec/yaml/source-map.ts';
import { parseWholeYaml } from '../../spec/yaml/tree.ts';

/** A component that was read, or why it cannot be one. */
export type ComponentText =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly reason: string };

const MAX_BYTES = 1_048_576;

function childrenOf(node: SourceNode): readonly SourceNode[] {
  if (node.kind === 'list') return node.items;
  return node.kind === 'map' ? node.entries.map((entry) => entry.value) : [];
}

function findFault(root: SourceNode): string | undefined {
  const queue: SourceNode[] = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.kind === 'alias' || node.anchor !== undefined) {
      return 'Anchors and aliases are not allowed here; write the value out.';
    }
    if (node.kind === 'scalar' && node.type === 'date') {
      return `The date ${String(node.value)} must stand in quotes.`;
    }
    if (node.kind === 'map' && node.merged.length > 0) {
      return 'Merge keys are not allowed here; write the values out.';
    }
    for (const child of childrenOf(node)) queue.push(child);
  }
  return undefined;
}

/**
 * Reads the text of a component or an editor buffer (studio.md 7.4): YAML 1.1 scalars, a mapping at
 * the top (an empty text is an empty one unless `requireContent`), no anchors, only JSON values.
 */
export function readComponent(
  name: string,
  text: string,
  options: { requireContent?: boolean } = {},
): ComponentText {
  if (Buffer.byteLength(text) > MAX_BYTES) return { ok: false, reason: 'It is larger than 1 MiB.' };
  const format = formatOfFile(name);
  const tree = format === 'json' ? parseJsonTree(text) : parseWholeYaml(text);
  const [problem] = tree.problems;
  if (problem !== undefined) return { ok: false, reason: problem.message };
  const { root } = tree;
  const empty = root === undefined || (root.kind === 'scalar' && root.type === 'null');
  if (empty && options.requireContent !== true) return { ok: true, document: {} };
  const fault = root === undefined ? undefined : findFault(root);
  if (fault !== undefined) return { ok: false, reason: fault };
  const parsed = readDocument(text, tree);
  if (parsed.value !== undefined) return { ok: true, document: parsed.value };
  return { ok: false, reason: parsed.diagnostics[0]?.message ?? 'It is no mapping.' };
}
