import { expressionIn } from './compile-expression.ts';
import { REFUSED_MEMBERS } from './names.ts';
import { splitTemplate } from './split-template.ts';
import { type AnyNode, child, children, memberName } from './syntax.ts';

export type ItemChoice = 'item' | 'first' | 'last';
export type Constant = string | number | boolean | null;

/** What is read: fields of an item that the step has, or that an earlier step gave. */
export interface PlainRead {
  readonly of: 'input' | 'step' | 'node';
  /** The earlier step; empty for the step's own items. */
  readonly name: string;
  readonly choice: ItemChoice;
  /** Keys from the item on. */
  readonly path: readonly string[];
}

export type PlainPart =
  | { readonly text: string }
  | { readonly constant: Constant }
  | { readonly read: PlainRead };

/** A field whose expressions only read: its parts, joined to a text where it `isTemplate`. */
export interface PlainTemplate {
  readonly parts: readonly PlainPart[];
  readonly isTemplate: boolean;
}

/** Longer ones are left to the interpreter: reading them would hold up whoever waits. */
const LONGEST_TEMPLATE = 10_000;
const LONGEST_PART = 500;
const STEP_NAME = /^[A-Za-z_]\w*$/;

type Start = Omit<PlainRead, 'path'>;

interface Access {
  readonly root: AnyNode;
  readonly keys: readonly string[];
}

/** `root.key["key"][0]`; undefined when a key is computed, or one that the source refuses. */
function accessOf(node: AnyNode): Access | undefined {
  const keys: string[] = [];
  let root = node;
  while (root.type === 'MemberExpression' || root.type === 'ChainExpression') {
    if (root.type === 'ChainExpression') {
      root = child(root, 'expression');
      continue;
    }
    const key = memberName(root) ?? indexOf(child(root, 'property'));
    if (key === undefined || key === 'constructor' || REFUSED_MEMBERS.has(key)) return undefined;
    keys.unshift(key);
    root = child(root, 'object');
  }
  return { root, keys };
}

function constantOf({ type, value }: AnyNode): Constant | undefined {
  if (type !== 'Literal') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

function indexOf(property: AnyNode): string | undefined {
  const index = constantOf(property);
  return typeof index === 'number' ? String(index) : undefined;
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node['name'] === name;
}

/** The name in `$("name")`. */
function stepName(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' || node['optional'] === true) return undefined;
  const [word, ...more] = children(node, 'arguments');
  if (!isNamed(child(node, 'callee'), '$') || word === undefined || more.length > 0)
    return undefined;
  const name = constantOf(word);
  return typeof name === 'string' ? name : undefined;
}

function ownerOf(node: AnyNode): Pick<Start, 'of' | 'name'> | undefined {
  if (isNamed(node, '$input')) return { of: 'input', name: '' };
  const name = stepName(node);
  return name === undefined ? undefined : { of: 'step', name };
}

/** `….first()` and `….last()`. */
function calledStart(node: AnyNode): Start | undefined {
  if (node.type !== 'CallExpression' || node['optional'] === true) return undefined;
  const callee = child(node, 'callee');
  const choice = callee['computed'] === true ? undefined : memberName(callee);
  if (choice !== 'first' && choice !== 'last') return undefined;
  const owner = callee['optional'] === true ? undefined : ownerOf(child(callee, 'object'));
  return owner === undefined || children(node, 'arguments').length > 0
    ? undefined
    : { ...owner, choice };
}

function readOf(node: AnyNode): PlainRead | undefined {
  const access = accessOf(node);
  if (access === undefined) return undefined;
  const { root, keys } = access;
  const [first = '', second, ...rest] = keys;
  if (isNamed(root, '$json'))
    return { of: 'input', name: '', choice: 'item', path: ['json', ...keys] };
  if (isNamed(root, '$node'))
    return second === 'json' && STEP_NAME.test(first)
      ? { of: 'node', name: first, choice: 'item', path: ['json', ...rest] }
      : undefined;
  const called = calledStart(root);
  if (called !== undefined) return { ...called, path: keys };
  const owner = first === 'item' ? ownerOf(root) : undefined;
  return owner === undefined ? undefined : { ...owner, choice: 'item', path: keys.slice(1) };
}

function partOf(code: string): PlainPart | undefined {
  if (code.length > LONGEST_PART || code.trim() === '') return undefined;
  const root = expressionIn(code);
  if (root === null) return undefined;
  if (root.type === 'Literal' && root['raw'] === 'null') return { constant: null };
  const constant = constantOf(root);
  if (constant !== undefined) return { constant };
  const read = readOf(root);
  return read === undefined ? undefined : { read };
}

/**
 * Reads the text of a field behind its `=`; null when any of its expressions does more than read
 * fields by names that it writes out.
 */
export function plainTemplate(template: string): PlainTemplate | null {
  if (template.length > LONGEST_TEMPLATE) return null;
  const parts: PlainPart[] = [];
  for (const part of splitTemplate(template)) {
    const plain = 'text' in part ? part : partOf(part.code);
    if (plain === undefined) return null;
    parts.push(plain);
  }
  const [only] = parts;
  return { parts, isTemplate: parts.length !== 1 || (only !== undefined && 'text' in only) };
}
