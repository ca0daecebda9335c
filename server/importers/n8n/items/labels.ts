import { at, hasText, listOf, type Value } from '../../value.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { classesOf } from '../extended/branches.ts';

const FIXED: ReadonlyMap<string, readonly string[]> = new Map([
  [`${BASE}if`, ['true', 'false']],
  [`${BASE}compareDatasets`, ['in A only', 'same', 'different', 'in B only']],
  [`${LANGCHAIN}guardrails`, ['pass', 'fail']],
]);
const LOOP = `${BASE}splitInBatches`;
const SWITCH = `${BASE}switch`;

function literal(value: Value | undefined): string | undefined {
  if (!hasText(value)) return undefined;
  const reading = readText(value);
  return reading.computed ? undefined : reading.text;
}

function switchLabel(node: N8nNode, position: number): string | undefined {
  const { parameters } = node;
  const rules = listOf(at(parameters, 'rules', node.version >= 3 ? 'values' : 'rules'));
  const rule = rules[position];
  if (rule !== undefined) return literal(at(rule, 'outputKey'));
  const isExtra = position === rules.length && rules.length > 0;
  if (!isExtra || literal(at(parameters, 'options', 'fallbackOutput')) !== 'extra')
    return undefined;
  return literal(at(parameters, 'options', 'renameFallbackOutput')) ?? 'fallback';
}

function loopLabel(node: N8nNode, position: number): string | undefined {
  if (node.version < 2) return undefined;
  const names = node.version >= 3 ? ['done', 'loop'] : ['loop', 'done'];
  return names[position];
}

/** What the source calls an output; its number where it has no name. */
export function labelOf(node: N8nNode, position: number): string {
  const named =
    node.type === SWITCH
      ? switchLabel(node, position)
      : node.type === LOOP
        ? loopLabel(node, position)
        : (FIXED.get(node.type) ?? classesOf(node))?.[position];
  return named === undefined || named === '' ? String(position) : named;
}
