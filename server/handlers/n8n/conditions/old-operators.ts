import { jsonOf, type Value } from '../../../expressions/port/values.ts';
import { isObject } from '../../../kernel/json.ts';
import { FieldFailure } from '../fields.ts';
import { millisLikeDate } from '../moments.ts';
import type { TestPattern } from './patterns.ts';

// Operators of If 1, Filter 1 and Switch 1 and 2: they compare as JavaScript does and convert nothing.

export type OldType = 'boolean' | 'dateTime' | 'number' | 'string';

type Primitive = string | number | boolean | null | undefined;

function textInList(value: unknown): string {
  return value === null || value === undefined ? '' : plainText(value);
}

/** A value as JavaScript makes text of it. */
function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(textInList).join(',');
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

function primitive(value: unknown): Primitive {
  if (typeof value === 'object' && value !== null) return plainText(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
}

/** Two texts by their letters, all else as numbers; what is nothing counts as 0. */
function ordered(compare: (order: number) => boolean) {
  return (left: unknown, right: unknown): boolean => {
    const [one, other] = [primitive(left) || 0, primitive(right) || 0];
    if (typeof one === 'string' && typeof other === 'string')
      return compare(one < other ? -1 : one > other ? 1 : 0);
    return compare(Number(one) - Number(other));
  };
}

function looseText(value: unknown): string {
  return value ? plainText(value) : '';
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

function needsText(value: unknown, method: string): string {
  if (typeof value === 'string') return value;
  throw new FieldFailure(
    value === null || value === undefined
      ? `Cannot read properties of ${value} (reading '${method}')`
      : `value1.${method} is not a function`,
  );
}

type Compare = (left: unknown, right: unknown, test: TestPattern) => boolean;

const equal: Compare = (left, right) => left === right;
const larger = ordered((order) => order > 0);
const smaller = ordered((order) => order < 0);

const POSITIVE: Readonly<Record<string, Compare>> = {
  after: larger,
  before: smaller,
  larger,
  smaller,
  largerEqual: ordered((order) => order >= 0),
  smallerEqual: ordered((order) => order <= 0),
  equal,
  contains: (left, right) => looseText(left).includes(looseText(right)),
  startsWith: (left, right) => needsText(left, 'startsWith').startsWith(plainText(right)),
  endsWith: (left, right) => needsText(left, 'endsWith').endsWith(plainText(right)),
  regex: (left, right, test) => test(looseText(left), looseText(right)),
  isEmpty: isNothing,
};

const NEGATIVE: Readonly<Record<string, string>> = {
  notEqual: 'equal',
  notContains: 'contains',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notRegex: 'regex',
  isNotEmpty: 'isEmpty',
};

/** What each type compares with when the settings do not say. */
const DEFAULTS: Readonly<Record<OldType, { operation: string; value: unknown }>> = {
  boolean: { operation: 'equal', value: false },
  dateTime: { operation: 'after', value: '' },
  number: { operation: 'smaller', value: 0 },
  string: { operation: 'equal', value: '' },
};

/** A field of the settings, or what it is when the export leaves it out. */
export function oldField(type: OldType, field: unknown): unknown {
  return field === undefined ? DEFAULTS[type].value : field;
}

function rawOf(value: Value): unknown {
  return value.kind === 'number' ? value.value : jsonOf(value);
}

function momentOf(value: Value): number {
  const json = jsonOf(value);
  const millis = typeof json === 'string' ? millisLikeDate(json) : json;
  if (typeof millis === 'number' && !Number.isNaN(millis)) return millis;
  throw new FieldFailure(`The value "${plainText(json)}" is not a valid DateTime.`);
}

/** Whether two values of a type compare as the operation says. @throws FieldFailure */
export function oldHolds(
  type: OldType,
  operation: unknown,
  [left, right]: readonly [Value, Value],
  test: TestPattern,
): boolean {
  const name = String(operation ?? DEFAULTS[type].operation);
  const negated = Object.hasOwn(NEGATIVE, name) ? NEGATIVE[name] : undefined;
  const known = negated ?? name;
  const compare = Object.hasOwn(POSITIVE, known) ? POSITIVE[known] : undefined;
  if (compare === undefined) throw new FieldFailure(`The operation "${name}" is not known!`);
  const read = type === 'dateTime' ? momentOf : rawOf;
  return compare(read(left), read(right), test) === (negated === undefined);
}
