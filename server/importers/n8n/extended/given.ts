import { looksSecret } from '../../../kernel/secret-names.ts';
import { secretsInText } from '../../../kernel/secrets-in-text.ts';
import { type Meaning, readExpression } from '../../expressions/read-expression.ts';
import { at, listOf, mapOf, textOf, type Value } from '../../value.ts';
import { BASE, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import type { Scene } from '../scene.ts';

const SET = `${BASE}set`;
const MAX_CONSTANT = 4000;

/** What an expression comes to in the draft. */
export type Given =
  /** A text that is known before any run. */
  | { readonly kind: 'text'; readonly text: string }
  /** The input of the step, which reaches it anyway, with the texts around it. */
  | { readonly kind: 'passed'; readonly texts: readonly string[] }
  | { readonly kind: 'computed' };

const COMPUTED: Given = { kind: 'computed' };

function isPassing(node: N8nNode, scene: Scene): boolean {
  const role = scene.roles.get(node.id);
  if (role?.role === 'deactivated') return true;
  return role?.role === 'node' && role.reader.harmless === true;
}

/** The elements whose results an element gets, and those that only pass them on. */
function suppliers(node: N8nNode, scene: Scene): { sources: Set<N8nNode>; passing: Set<N8nNode> } {
  const sources = new Set<N8nNode>();
  const passing = new Set<N8nNode>();
  const queue = [node];
  for (const current of queue) {
    for (const { source } of scene.mainTo.get(current.id) ?? []) {
      if (!isPassing(source, scene)) sources.add(source);
      else if (!passing.has(source)) {
        passing.add(source);
        queue.push(source);
      }
    }
  }
  return { sources, passing };
}

/** True when what a named element gave is what reaches the step. */
function isGivenBy(name: string, node: N8nNode, scene: Scene): boolean {
  const { sources, passing } = suppliers(node, scene);
  if ([...passing].some((other) => other.name === name)) return true;
  return sources.size === 1 && [...sources].some((other) => other.name === name);
}

function constant(name: string, value: Value | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || looksSecret(name)) return undefined;
  const reading = readText(value);
  const { text } = reading;
  const isOdd = reading.computed || text.length > MAX_CONSTANT || secretsInText(text).length > 0;
  return isOdd ? undefined : text;
}

function isMember(item: Value, name: string): boolean {
  return textOf(at(item, 'name')) === name;
}

/** The constant that an element which only sets fields gives one of them. */
function constantOf(node: N8nNode, path: readonly string[]): string | undefined {
  if (node.type !== SET || node.disabled || path.length === 0) return undefined;
  const name = path.join('.');
  const listed = listOf(at(node.parameters, 'assignments', 'assignments'));
  const assigned = listed.find((item) => isMember(item, name));
  if (assigned !== undefined) return constant(name, at(assigned, 'value'));
  for (const items of mapOf(node.parameters.get('values')).values()) {
    const item = listOf(items).find((entry) => isMember(entry, name));
    if (item !== undefined) return constant(name, at(item, 'value'));
  }
  return undefined;
}

function ofInput(path: readonly string[], node: N8nNode, scene: Scene): Given {
  const [source, ...more] = suppliers(node, scene).sources;
  const text = source === undefined || more.length > 0 ? undefined : constantOf(source, path);
  return text === undefined ? { kind: 'passed', texts: [] } : { kind: 'text', text };
}

function ofNode(name: string, path: readonly string[], node: N8nNode, scene: Scene): Given {
  const source = scene.doc.nodes.find((other) => other.name === name);
  const text = source === undefined ? undefined : constantOf(source, path);
  if (text !== undefined) return { kind: 'text', text };
  return isGivenBy(name, node, scene) ? { kind: 'passed', texts: [] } : COMPUTED;
}

function join(parts: readonly Given[]): Given {
  if (parts.some((part) => part.kind === 'computed')) return COMPUTED;
  const texts = parts.flatMap((part) => {
    if (part.kind === 'text') return [part.text];
    return part.kind === 'passed' ? part.texts : [];
  });
  if (parts.every((part) => part.kind === 'text')) return { kind: 'text', text: texts.join('') };
  return { kind: 'passed', texts };
}

function give(meaning: Meaning, node: N8nNode, scene: Scene): Given {
  switch (meaning.kind) {
    case 'constant':
      return { kind: 'text', text: meaning.value };
    case 'input':
      return ofInput(meaning.path, node, scene);
    case 'node':
      return ofNode(meaning.name, meaning.path, node, scene);
    case 'joined':
      return join(meaning.parts.map((part) => give(part, node, scene)));
    default:
      return COMPUTED;
  }
}

/**
 * What the inside of one `{{ … }}` of an element comes to: a constant of the source, the input of
 * the step, or something that only the source can compute (importers 14).
 */
export function givenBy(body: string, node: N8nNode, scene: Scene): Given {
  return give(readExpression(body), node, scene);
}
