import type { Condition } from '../../../spec/schema/spec-types.ts';
import { readExpression } from '../../expressions/read-expression.ts';
import { splitTemplate } from '../../expressions/split-template.ts';
import { textCondition } from '../../text-condition.ts';
import { at, listOf, type Value } from '../../value.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { isRulesMode } from '../outputs.ts';
import type { Scene } from '../scene.ts';

const WHOLE_OUTPUT: ReadonlySet<string> = new Set(['output', 'text']);
const TEXT_STEPS: ReadonlySet<string> = new Set(
  ['agent', 'chainLlm', 'openAi', 'chainSummarization', 'chainRetrievalQa'].map(
    (type) => LANGCHAIN + type,
  ),
);

const MOST_OUTPUTS = 1024;

interface Comparison {
  readonly left: Value | undefined;
  readonly right: Value | undefined;
  readonly operation: string;
  readonly caseSensitive: boolean;
}

/** The usual spelling, which needs no parser. */
const PLAIN_OUTPUT = /^=\{\{\s*\$json\.(?:output|text)\s*\}\}$/;

function isWholeOutput(value: Value | undefined): boolean {
  if (typeof value !== 'string') return false;
  if (PLAIN_OUTPUT.test(value)) return true;
  const reading = readText(value);
  const [part, ...more] = splitTemplate(reading.text.trim());
  if (!reading.computed || part?.kind !== 'expression' || more.length > 0) return false;
  const meaning = readExpression(part.body);
  if (meaning.kind !== 'input' || meaning.path.length !== 1 || /\(/.test(part.body)) return false;
  return WHOLE_OUTPUT.has(meaning.path[0] ?? '');
}

function operand(value: Value | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const reading = readText(value);
  return reading.computed || reading.text === '' ? undefined : reading.text;
}

function compare(comparison: Comparison): Condition | undefined {
  const value = operand(comparison.right);
  if (value === undefined || !isWholeOutput(comparison.left)) return undefined;
  return textCondition(comparison.operation, value, comparison.caseSensitive);
}

function combine(
  parts: readonly (Condition | undefined)[],
  type: 'all_of' | 'any_of',
): Condition | undefined {
  const conditions = parts.filter((part) => part !== undefined);
  const [only] = conditions;
  if (only === undefined || conditions.length < parts.length) return undefined;
  return conditions.length === 1 ? only : { type, conditions };
}

/** A condition block of version 2 (`if` ≥ 2, `switch` ≥ 3). */
function filterBlock(block: Value | undefined): Condition | undefined {
  const caseSensitive = at(block, 'options', 'caseSensitive') !== false;
  const parts = listOf(at(block, 'conditions')).map((item) => {
    const type = at(item, 'operator', 'type');
    const operation = at(item, 'operator', 'operation');
    if (type !== 'string' || typeof operation !== 'string') return undefined;
    const left = at(item, 'leftValue');
    return compare({ left, right: at(item, 'rightValue'), operation, caseSensitive });
  });
  return combine(parts, at(block, 'combinator') === 'or' ? 'any_of' : 'all_of');
}

/** The conditions of `if` before version 2: lists by type. */
function legacyBlock(node: N8nNode): Condition | undefined {
  const block = node.parameters.get('conditions');
  const kinds = block instanceof Map ? [...block.keys()] : [];
  if (kinds.length !== 1 || kinds[0] !== 'string') return undefined;
  const parts = listOf(at(block, 'string')).map((item) => {
    const operation = at(item, 'operation') ?? 'equal';
    if (typeof operation !== 'string') return undefined;
    const [left, right] = [at(item, 'value1'), at(item, 'value2')];
    return compare({ left, right, operation, caseSensitive: true });
  });
  const any = node.parameters.get('combineOperation') === 'any';
  return combine(parts, any ? 'any_of' : 'all_of');
}

function switchCases(node: N8nNode): (Condition | undefined)[] {
  if (node.version >= 3) {
    const rules = listOf(at(node.parameters, 'rules', 'values'));
    return rules.map((rule) => filterBlock(at(rule, 'conditions')));
  }
  const left = node.parameters.get('value1');
  const isText = node.parameters.get('dataType') === 'string';
  return listOf(at(node.parameters, 'rules', 'rules')).map((rule) => {
    const operation = at(rule, 'operation') ?? 'equal';
    if (!isText || typeof operation !== 'string') return undefined;
    return compare({ left, right: at(rule, 'value2'), operation, caseSensitive: true });
  });
}

/** True when everything that feeds the branch is a step whose output is one text. */
function isFedByText(node: N8nNode, scene: Scene): boolean {
  const links = scene.mainTo.get(node.id) ?? [];
  return (
    links.length > 0 &&
    links.every(({ source, port }) => TEXT_STEPS.has(source.type) && !source.disabled && port === 0)
  );
}

function anyOf(conditions: readonly Condition[]): Condition {
  const [only, ...more] = conditions;
  return only !== undefined && more.length === 0
    ? only
    : { type: 'any_of', conditions: [...conditions] };
}

/** The output that each rule of a switch leads to; undefined when one does not say it. */
function rulePositions(node: N8nNode, count: number): number[] | undefined {
  if (node.version >= 2) return Array.from({ length: count }, (_, position) => position);
  const list = listOf(at(node.parameters, 'rules', 'rules')).map((rule) => at(rule, 'output') ?? 0);
  const positions = list.filter((position) => typeof position === 'number');
  // The rules are tried in their order, the edges of the draft in that of the outputs.
  const isRising = positions.every((position, i) => i === 0 || position >= (positions[i - 1] ?? 0));
  return isRising && positions.length === list.length ? positions : undefined;
}

/** Where a switch leads to when no rule holds: an output, or nowhere; undefined when it computes it. */
function fallbackOf(node: N8nNode, count: number): number | 'nowhere' | undefined {
  const inOptions = at(node.parameters, 'options', 'fallbackOutput');
  const raw = node.version >= 3 ? inOptions : node.parameters.get('fallbackOutput');
  const value = typeof raw === 'string' ? readText(raw) : undefined;
  if (value?.computed === true) return undefined;
  if (value?.text === 'extra') return node.version >= 3 ? count : undefined;
  if (raw === undefined || raw === null || value?.text === 'none') return 'nowhere';
  const position = Number(value?.text ?? raw);
  if (!Number.isInteger(position)) return undefined;
  return position < 0 ? 'nowhere' : position;
}

function switchConditions(node: N8nNode): readonly Condition[] | undefined {
  if (!isRulesMode(node)) return undefined;
  const parts = switchCases(node);
  const rules = parts.filter((part) => part !== undefined);
  const positions = rulePositions(node, parts.length);
  const fallback = fallbackOf(node, parts.length);
  if (rules.length === 0 || rules.length < parts.length) return undefined;
  if (positions === undefined || fallback === undefined) return undefined;
  const otherwise: Condition = { type: 'not', condition: anyOf(rules) };
  const last = Math.max(...positions, fallback === 'nowhere' ? 0 : fallback);
  if (last > MOST_OUTPUTS) return undefined;
  return Array.from({ length: last + 1 }, (_, position) => {
    const leading = rules.filter((_rule, i) => positions[i] === position);
    const all = position === fallback ? [...leading, otherwise] : leading;
    return all.length === 0 ? { type: 'never' } : anyOf(all);
  });
}

function ifConditions(node: N8nNode): readonly Condition[] | undefined {
  const block = node.parameters.get('conditions');
  const condition = node.version >= 2 ? filterBlock(block) : legacyBlock(node);
  return condition && [condition, { type: 'not', condition }];
}

/**
 * The conditions of a branch in the words of the spec, by output; undefined unless every case can
 * be told (importers 14, "Condition translation").
 */
export function translateBranch(node: N8nNode, scene: Scene): readonly Condition[] | undefined {
  if (!isFedByText(node, scene)) return undefined;
  return node.type === `${BASE}if` ? ifConditions(node) : switchConditions(node);
}
