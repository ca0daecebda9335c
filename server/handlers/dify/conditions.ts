import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { StepFailure } from '../handler.ts';
import type { Pool } from './pool.ts';
import { objectsOf } from './values.ts';

/** True for what Python takes for nothing. */
function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function equal(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isNaN(number))
    throw new StepFailure(`A condition compares '${String(value)}' as a number`);
  return number;
}

function truthOf(value: unknown): unknown {
  if (typeof value !== 'string') return value === 1 ? true : value === 0 ? false : value;
  const text = value.toLowerCase();
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : value;
}

function isSame(value: unknown, expected: unknown): boolean {
  if (isAbsent(value)) return false;
  if (typeof value === 'boolean') return value === truthOf(expected);
  return typeof value === 'string' ? value === String(expected) : equal(value, expected);
}

function holds(value: unknown, expected: unknown): boolean {
  if (typeof value === 'string') return value.includes(String(expected));
  return Array.isArray(value) && value.some((one) => equal(one, expected));
}

function listOf(expected: unknown): readonly unknown[] {
  return Array.isArray(expected) ? expected : [expected];
}

type Compare = (value: unknown, expected: unknown) => boolean;

function byNumber(compare: (one: number, other: number) => boolean): Compare {
  return (value, expected) => !isAbsent(value) && compare(numberOf(value), numberOf(expected));
}

const OPERATORS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['contains', (value, expected) => !isNothing(value) && holds(value, expected)],
  ['not contains', (value, expected) => isNothing(value) || !holds(value, expected)],
  [
    'start with',
    (value, expected) =>
      typeof value === 'string' && value !== '' && value.startsWith(String(expected)),
  ],
  [
    'end with',
    (value, expected) =>
      typeof value === 'string' && value !== '' && value.endsWith(String(expected)),
  ],
  ['is', isSame],
  ['is not', (value, expected) => !isAbsent(value) && !isSame(value, expected)],
  ['empty', isNothing],
  ['not empty', (value) => !isNothing(value)],
  ['=', byNumber((one, other) => one === other)],
  ['≠', byNumber((one, other) => one !== other)],
  ['>', byNumber((one, other) => one > other)],
  ['<', byNumber((one, other) => one < other)],
  ['≥', byNumber((one, other) => one >= other)],
  ['≤', byNumber((one, other) => one <= other)],
  ['null', isAbsent],
  ['not null', (value) => !isAbsent(value)],
  ['exists', (value) => !isAbsent(value)],
  ['not exists', isAbsent],
  [
    'in',
    (value, expected) => !isNothing(value) && listOf(expected).some((one) => equal(one, value)),
  ],
  [
    'not in',
    (value, expected) => isNothing(value) || !listOf(expected).some((one) => equal(one, value)),
  ],
  [
    'all of',
    (value, expected) => !isNothing(value) && listOf(expected).every((one) => holds(value, one)),
  ],
]);

/** Whether a value compares so. @throws StepFailure for an operator that is not known */
export function compares(operator: unknown, value: unknown, expected: unknown): boolean {
  const compare = OPERATORS.get(String(operator));
  if (compare === undefined)
    throw new StepFailure(`The comparison '${String(operator)}' is not one of Dify's`);
  return compare(value, expected);
}

function expectedOf(condition: JsonObject, pool: Pool): unknown {
  const { value } = condition;
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'string' ? pool.fill(one) : one));
  return typeof value === 'string' ? pool.fill(value) : value;
}

/** The same of the parts of an object: of each in a list of files. */
function partsHold(group: JsonObject, part: unknown, pool: Pool): boolean {
  const fields = isObject(part) ? part : {};
  return combined(group, (condition) =>
    compares(
      condition['comparison_operator'],
      fields[String(condition['key'] ?? '')],
      expectedOf(condition, pool),
    ),
  );
}

function inFiles(operator: unknown, group: JsonObject, value: unknown, pool: Pool): boolean {
  const files: readonly unknown[] = Array.isArray(value) ? value : [];
  const isGood = (file: unknown): boolean => partsHold(group, file, pool);
  if (operator === 'contains') return files.some(isGood);
  if (operator === 'not contains') return !files.some(isGood);
  return files.length > 0 && files.every(isGood);
}

function conditionHolds(condition: JsonObject, pool: Pool): boolean {
  const { comparison_operator: operator, variable_selector, sub_variable_condition } = condition;
  const value = pool.at(variable_selector);
  if (
    isObject(sub_variable_condition) &&
    objectsOf(sub_variable_condition['conditions']).length > 0
  )
    return inFiles(operator, sub_variable_condition, value, pool);
  return compares(operator, value, expectedOf(condition, pool));
}

function combined(group: JsonObject, isTrue: (condition: JsonObject) => boolean): boolean {
  const conditions = objectsOf(group['conditions']);
  return group['logical_operator'] === 'or' ? conditions.some(isTrue) : conditions.every(isTrue);
}

/** Whether a group of conditions holds, by its `logical_operator`. @throws StepFailure */
export function groupHolds(group: JsonObject, pool: Pool): boolean {
  return combined(group, (condition) => conditionHolds(condition, pool));
}
