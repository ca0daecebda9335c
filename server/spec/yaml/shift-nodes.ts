import type { SourceEntry, SourceNode } from './source-map.ts';

type Moved = Map<SourceNode, SourceNode>;

/** A node that aliases may point to is remembered under its old self. */
function remember<T extends SourceNode>(old: SourceNode, made: T, moved: Moved): T {
  if (old.kind !== 'alias' && old.anchor !== undefined) moved.set(old, made);
  return made;
}

function shiftedEntries(
  entries: readonly SourceEntry[],
  by: number,
  moved: Moved,
): SourceEntry[] | undefined {
  const made: SourceEntry[] = [];
  for (const entry of entries) {
    const value = shifted(entry.value, by, moved);
    if (value === undefined) return undefined;
    made.push({ ...entry, keyStart: entry.keyStart + by, keyEnd: entry.keyEnd + by, value });
  }
  return made;
}

function shiftedList(nodes: readonly SourceNode[], by: number, moved: Moved) {
  const made: SourceNode[] = [];
  for (const node of nodes) {
    const one = shifted(node, by, moved);
    if (one === undefined) return undefined;
    made.push(one);
  }
  return made;
}

/**
 * A node moved by some characters. Aliases follow their anchors, old to new in `moved`; undefined
 * for a merge key, whose place among the entries a tree does not say.
 */
export function shifted(node: SourceNode, by: number, moved: Moved): SourceNode | undefined {
  const at = { start: node.start + by, end: node.end + by };
  if (node.kind === 'scalar') return remember(node, { ...node, ...at }, moved);
  if (node.kind === 'alias')
    return { ...node, ...at, target: moved.get(node.target) ?? node.target };
  if (node.kind === 'list') {
    const items = shiftedList(node.items, by, moved);
    return items && remember(node, { ...node, ...at, items }, moved);
  }
  if (node.merged.length > 0) return undefined;
  const entries = shiftedEntries(node.entries, by, moved);
  return entries && remember(node, { ...node, ...at, entries }, moved);
}
