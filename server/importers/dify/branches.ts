import { at, listOf, textOf, type Value } from '../value.ts';
import type { DifyNode } from './document.ts';
import type { HandledOutput } from './scene.ts';

const MAX_DISPLAY = 400;
const OPERATORS: ReadonlySet<string> = new Set([
  'contains',
  'not contains',
  'start with',
  'end with',
  'is',
  'is not',
  'empty',
  'not empty',
  'in',
  'not in',
  'all of',
  '=',
  '≠',
  '>',
  '<',
  '≥',
  '≤',
  'null',
  'not null',
  'exists',
  'not exists',
]);

function handleOf(item: Value, keys: readonly string[], fallback: string): string {
  for (const key of keys) {
    const value = at(item, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return fallback;
}

function numbered(handles: readonly string[]): HandledOutput[] {
  return handles.map((handle, position) => ({ handle, position, role: 'case' }));
}

/** Outputs of `if-else`: one per case, then the else handle `false` (importers 5.5). */
export function ifElseOutputs(node: DifyNode): HandledOutput[] {
  const cases = node.data.get('cases');
  const handles = Array.isArray(cases)
    ? cases.map((item, index) => handleOf(item, ['case_id', 'id'], `case[${index}]`))
    : ['true'];
  const outputs = numbered(handles);
  return [...outputs, { handle: 'false', position: outputs.length, role: 'else' }];
}

/** Outputs of `question-classifier`: one per class (importers 5.5). */
export function classifierOutputs(node: DifyNode): HandledOutput[] {
  const classes = listOf(node.data.get('classes'));
  return numbered(classes.map((item, index) => handleOf(item, ['id'], `class[${index}]`)));
}

function selector(value: Value | undefined): string {
  const parts = listOf(value).map((part) => textOf(part) ?? '');
  return parts.filter((part) => /^[\w-]+$/.test(part)).join('.');
}

function operand(value: Value | undefined): string {
  if (value === undefined || value === null || value === '') return '';
  const text = textOf(value);
  const isReference = text !== undefined && /^\{\{#[^{}]*#\}\}$/.test(text);
  return isReference ? ` ${text}` : ' <value>';
}

function condition(item: Value): string {
  const operator = textOf(at(item, 'comparison_operator')) ?? '';
  const shown = OPERATORS.has(operator) ? operator : '<operator>';
  return `${selector(at(item, 'variable_selector'))} ${shown}${operand(at(item, 'value'))}`;
}

/** The conditions or classes of a branch for the eye, operands redacted (importers 5.5). */
export function displayBranch(node: DifyNode): string {
  const cases = listOf(node.data.get('cases'));
  const lists = cases.length > 0 ? cases : [node.data];
  const words =
    node.type === 'question-classifier'
      ? listOf(node.data.get('classes')).map((item) => textOf(at(item, 'name')) ?? '')
      : lists.flatMap((item) => listOf(at(item, 'conditions')).map(condition));
  const text = words.join('; ');
  return text.length > MAX_DISPLAY ? `${text.slice(0, MAX_DISPLAY - 1)}…`.toWellFormed() : text;
}
