import type { DifyNode } from './document.ts';

/** Which nodes stand inside which iteration or loop. */
export interface Containers {
  /** Node id → its outermost container; nodes outside have no entry. */
  readonly outermost: ReadonlyMap<string, string>;
  /** Container id → its members in node order. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

function isContainer(node: DifyNode | undefined): boolean {
  if (node === undefined || node.isNote) return false;
  return node.type === 'iteration' || node.type === 'loop';
}

/** The outermost container of a node; of containers that stand in each other, the first one. */
function outermostOf(node: DifyNode, byId: ReadonlyMap<string, DifyNode>): DifyNode | undefined {
  const path = [node];
  let current = node;
  while (current.parent !== null) {
    const parent = byId.get(current.parent);
    if (parent === undefined || !isContainer(parent)) break;
    const met = path.indexOf(parent);
    if (met >= 0) {
      const ring = path.slice(met);
      return ring.reduce((first, other) => (other.index < first.index ? other : first));
    }
    path.push(parent);
    current = parent;
  }
  return path.length > 1 ? current : undefined;
}

/** Finds the members of containers; the outermost container wins (importers 5.3). */
export function findContainers(nodes: readonly DifyNode[]): Containers {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const outermost = new Map<string, string>();
  const members = new Map<string, string[]>();
  for (const node of nodes) {
    const top = node.isNote ? undefined : outermostOf(node, byId);
    if (top === undefined || top === node) continue;
    outermost.set(node.id, top.id);
    const list = members.get(top.id);
    if (list === undefined) members.set(top.id, [node.id]);
    else list.push(node.id);
  }
  return { outermost, members };
}
