import type { DifyNode } from './document.ts';

/** Which nodes stand inside which iteration or loop. */
export interface Containers {
  /** Node id → its outermost container; nodes outside have no entry. */
  readonly outermost: ReadonlyMap<string, string>;
  /** Container id → its members in node order. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

function isContainer(node: DifyNode | undefined): boolean {
  return node !== undefined && (node.type === 'iteration' || node.type === 'loop');
}

/** Finds the members of containers; the outermost container wins (importers 5.3). */
export function findContainers(nodes: readonly DifyNode[]): Containers {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const outermost = new Map<string, string>();
  const members = new Map<string, string[]>();
  for (const node of nodes) {
    const seen = new Set([node.id]);
    let top: string | undefined;
    let current: DifyNode | undefined = node;
    while (current?.parent !== null && current !== undefined) {
      const parent: DifyNode | undefined = byId.get(current.parent);
      if (parent === undefined || seen.has(parent.id) || !isContainer(parent)) break;
      seen.add(parent.id);
      top = parent.id;
      current = parent;
    }
    if (top === undefined || node.isNote) continue;
    outermost.set(node.id, top);
    members.set(top, [...(members.get(top) ?? []), node.id]);
  }
  return { outermost, members };
}
