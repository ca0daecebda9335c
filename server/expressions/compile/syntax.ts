import type { Node } from 'acorn';

/** A node of any kind, to be looked through without knowing it. */
export type AnyNode = Node & Record<string, unknown>;

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The nodes directly inside, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const part of value) isNode(part) && children.push(part);
    else if (isNode(value)) children.push(value);
  }
  return children.sort((a, b) => a.start - b.start);
}

/** Every node inside and the node itself; none is visited by recursion, so depth costs no stack. */
export function* allNodes(root: AnyNode): Generator<AnyNode> {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...childrenOf(node));
  }
}

export function child(node: AnyNode, key: string): AnyNode {
  const found = node[key];
  if (!isNode(found)) throw new Error(`${node.type} has no ${key}`);
  return found;
}

export function children(node: AnyNode, key: string): AnyNode[] {
  const found = node[key];
  return Array.isArray(found) ? found.filter(isNode) : [];
}

/** The name that a member access has in the text: `a.name` and `a['name']`. */
export function memberName(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  const property = node['property'];
  if (!isNode(property)) return undefined;
  if (node['computed'] !== true) return String(property['name']);
  return property.type === 'Literal' && typeof property['value'] === 'string'
    ? property['value']
    : undefined;
}
