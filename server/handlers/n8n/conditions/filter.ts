import { jsonOf, type Value } from '../../../expressions/port/values.ts';
import { isObject } from '../../../kernel/json.ts';
import { FieldFailure, type ItemFields } from '../fields.ts';
import { millisOf } from '../moments.ts';
import { asType, NO_VALUE } from '../typed-value.ts';
import type { Condition, FilterSettings } from './filter-settings.ts';
import { operatorOf } from './operators.ts';
import type { TestPattern } from './patterns.ts';

function typeNameOf(value: Value): string {
  switch (value.kind) {
    case 'json':
      return Array.isArray(value.value) ? 'array' : typeof value.value;
    case 'date':
    case 'moment':
      return 'object';
    default:
      return value.kind;
  }
}

function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}

function isOfType(value: Value, type: string): boolean {
  const json = jsonOf(value);
  switch (type) {
    case 'number':
      return value.kind === 'number' || typeof json === 'number';
    case 'array':
      return Array.isArray(json);
    case 'object':
      return value.kind === 'date' || value.kind === 'moment' || isObject(json);
    case 'string':
    case 'boolean':
      return value.kind === 'json' && typeof json === type;
    default:
      return true;
  }
}

function truth(value: Value): boolean {
  if (value.kind === 'number') return Boolean(value.value);
  return value.kind === 'date' || value.kind === 'moment' || Boolean(jsonOf(value));
}

function converted(value: Value, type: string): unknown {
  switch (type) {
    case 'number':
      return value.kind === 'number' ? value.value : asType(type, value);
    case 'object':
      if (value.kind === 'date') return {};
      return value.kind === 'moment' ? { iso: value.iso } : asType(type, value);
    case 'string':
    case 'boolean':
    case 'array':
      return asType(type, value);
    default:
      return jsonOf(value);
  }
}

interface Judging {
  readonly filter: FilterSettings;
  readonly zone: string;
  readonly test: TestPattern;
}

/** One side of a condition as a value of its type, or NO_VALUE. */
function sideOf(value: Value, type: string, { filter, zone }: Judging): unknown {
  if (value.kind === 'undefined') return undefined;
  if (type === 'any' || (value.kind === 'json' && value.value === null)) return jsonOf(value);
  if (type === 'dateTime') {
    const millis = millisOf(value, zone);
    return Number.isNaN(millis) ? NO_VALUE : millis;
  }
  if (type === 'boolean' && !filter.isStrict) {
    const read = filter.version >= 2 ? asType(type, value) : NO_VALUE;
    return read === NO_VALUE ? truth(value) : read;
  }
  return filter.isStrict && !isOfType(value, type) ? NO_VALUE : converted(value, type);
}

function wrongType(value: Value, type: string, { filter }: Judging, place: string): FieldFailure {
  const json = jsonOf(value);
  const shown = typeof json === 'object' ? JSON.stringify(json) : String(json);
  const wanted = withArticle(type);
  const given = typeNameOf(value);
  return new FieldFailure(
    filter.isStrict
      ? `Wrong type: '${shown}' is ${withArticle(given)} but was expecting ${wanted} ${place}`
      : `Conversion error: the ${given} '${shown}' can't be converted to ${wanted} ${place}`,
  );
}

function conditionHolds(
  condition: Condition,
  fields: ItemFields,
  judging: Judging,
  place: string,
): boolean {
  const { type, rightType, operation, isSingle } = condition;
  const [leftValue, rightValue] = [fields.value(condition.left), fields.value(condition.right)];
  const left = sideOf(leftValue, type, judging);
  const right = sideOf(rightValue, rightType, judging);
  if (left === NO_VALUE) throw wrongType(leftValue, type, judging, place);
  if (right === NO_VALUE && !isSingle) throw wrongType(rightValue, rightType, judging, place);
  const operator = operatorOf(type, operation);
  if (operator === undefined)
    throw new FieldFailure(`Unknown filter parameter operator "${type}:${operation}"`);
  const { ignoresCase } = judging.filter;
  const other = right === NO_VALUE ? undefined : right;
  return operator({ left, right: other, ignoresCase, test: judging.test });
}

/**
 * Whether an item passes. Every expression is read before any condition is judged; a condition behind
 * one that decides is not judged.
 * @throws FieldFailure when an expression failed or a value has the wrong type
 */
export function filterHolds(
  filter: FilterSettings,
  fields: ItemFields,
  item: number,
  zone: string,
  test: TestPattern,
): boolean {
  for (const { left, right } of filter.conditions)
    for (const one of [left, right]) fields.json(one);
  const judging = { filter, zone, test };
  const holds = (condition: Condition, at: number): boolean =>
    conditionHolds(condition, fields, judging, `[condition ${at}, item ${item}]`);
  if (filter.combinator === 'and') return filter.conditions.every(holds);
  return filter.combinator === 'or' && filter.conditions.some(holds);
}
