import { expressionIn } from './compile-expression.ts';
import { splitTemplate } from './split-template.ts';
import { type AnyNode, allNodes, child, isNode, memberName } from './syntax.ts';

/** Longer ones are not looked into: reading them would hold up whoever waits. */
const LONGEST = 10_000;

/** Names of the source by which no field of the step's own items can be reached. */
const APART = new Set([
  ...['$', '$node', '$now', '$today', '$itemIndex', '$runIndex', '$workflow', '$execution'],
  ...['$vars', '$if', '$ifEmpty', '$max', '$min', '$average', '$not', '$jmespath'],
]);

function isItem(node: unknown): boolean {
  return isNode(node) && node.type === 'Identifier' && node['name'] === '$json';
}

/** A function that is called by way of the item has it as its `this`. */
function callsOnItem(node: AnyNode): boolean {
  const called = node['callee'] ?? node['tag'];
  if (!isNode(called)) return false;
  const callee = called.type === 'ChainExpression' ? child(called, 'expression') : called;
  return callee.type === 'MemberExpression' && isItem(callee['object']);
}

function isUnknown(node: AnyNode): boolean {
  if (node.type !== 'Identifier') return false;
  const name = String(node['name']);
  return (name.startsWith('$') && !isItem(node) && !APART.has(name)) || name === 'arguments';
}

/** Adds what an expression reads of the item; false when that cannot be told. */
function addFields(root: AnyNode, fields: Set<string>): boolean {
  let mentions = 0;
  let reads = 0;
  for (const node of allNodes(root)) {
    if (isUnknown(node) || callsOnItem(node)) return false;
    if (isItem(node)) mentions += 1;
    const name = isItem(node['object']) ? memberName(node) : undefined;
    if (name === undefined) continue;
    fields.add(name);
    reads += 1;
  }
  return mentions === reads;
}

/**
 * The fields of the step's own items that the text of a field behind its `=` can see; null when the
 * text does not tell.
 */
export function fieldsRead(template: string): ReadonlySet<string> | null {
  if (template.length > LONGEST) return null;
  const fields = new Set<string>();
  for (const part of splitTemplate(template)) {
    if ('text' in part) continue;
    const root = expressionIn(part.code);
    if (root === null || !addFields(root, fields)) return null;
  }
  return fields;
}
