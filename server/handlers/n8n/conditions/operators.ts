import { isObject } from '../../../kernel/json.ts';
import type { TestPattern } from './patterns.ts';

/** Both sides of a condition, brought to its types: nothing, or a value of the type. */
export interface Sides {
  readonly left: unknown;
  readonly right: unknown;
  readonly ignoresCase: boolean;
  readonly test: TestPattern;
}

type Operator = (sides: Sides) => boolean;
type Operators = Readonly<Record<string, Operator>>;

/** Whether there is a value: null and NaN are none. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && !Number.isNaN(value);
}

function lowered(value: unknown, ignoresCase: boolean): unknown {
  return ignoresCase && typeof value === 'string' ? value.toLocaleLowerCase() : value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(compare: (left: string, right: string) => boolean): Operator {
  return ({ left, right, ignoresCase }) =>
    compare(textOf(lowered(left, ignoresCase)), textOf(lowered(right, ignoresCase)));
}

function matches({ left, right, ignoresCase, test }: Sides): boolean {
  return test(textOf(lowered(left, ignoresCase)), textOf(right));
}

/** Null counts as 0, what is missing as no number. */
function numbers(compare: (left: number, right: number) => boolean): Operator {
  return ({ left, right }) => compare(Number(left), Number(right));
}

function moments(compare: (left: number, right: number) => boolean): Operator {
  return ({ left, right }) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function lengths(compare: (length: number, right: number) => boolean): Operator {
  return ({ left, right }) => compare(listOf(left).length, Number(right));
}

function hasLength({ left, right }: Sides): boolean {
  return listOf(left).length === right;
}

function contains({ left, right, ignoresCase }: Sides): boolean {
  const wanted = lowered(right, ignoresCase);
  return listOf(left).some((one) => lowered(one, ignoresCase) === wanted);
}

function isEmptyObject({ left }: Sides): boolean {
  return !isObject(left) || Object.keys(left).length === 0;
}

function not(operator: Operator): Operator {
  return (sides) => !operator(sides);
}

const is: Operator = ({ left }) => isThere(left);
const equals: Operator = ({ left, right }) => left === right;
const isEmptyText = texts((left) => left === '');
const isEmptyList: Operator = ({ left }) => listOf(left).length === 0;
const hasText = texts((left, right) => left.includes(right));
const startsWith = texts((left, right) => left.startsWith(right));
const endsWith = texts((left, right) => left.endsWith(right));
const equalTexts = texts((left, right) => left === right);

const STRING: Operators = {
  empty: isEmptyText,
  notEmpty: not(isEmptyText),
  equals: equalTexts,
  notEquals: not(equalTexts),
  contains: hasText,
  notContains: not(hasText),
  startsWith,
  notStartsWith: not(startsWith),
  endsWith,
  notEndsWith: not(endsWith),
  regex: matches,
  notRegex: not(matches),
};

const NUMBER: Operators = {
  empty: not(is),
  notEmpty: is,
  equals,
  notEquals: not(equals),
  gt: numbers((left, right) => left > right),
  lt: numbers((left, right) => left < right),
  gte: numbers((left, right) => left >= right),
  lte: numbers((left, right) => left <= right),
};

const DATE_TIME: Operators = {
  empty: not(is),
  notEmpty: is,
  equals: moments((left, right) => left === right),
  notEquals: moments((left, right) => left !== right),
  after: moments((left, right) => left > right),
  before: moments((left, right) => left < right),
  afterOrEquals: moments((left, right) => left >= right),
  beforeOrEquals: moments((left, right) => left <= right),
};

const BOOLEAN: Operators = {
  empty: not(is),
  notEmpty: is,
  true: ({ left }) => left === true,
  false: ({ left }) => left !== true,
  equals,
  notEquals: not(equals),
};

const ARRAY: Operators = {
  contains,
  notContains: not(contains),
  lengthEquals: hasLength,
  lengthNotEquals: not(hasLength),
  lengthGt: lengths((length, right) => length > right),
  lengthLt: lengths((length, right) => length < right),
  lengthGte: lengths((length, right) => length >= right),
  lengthLte: lengths((length, right) => length <= right),
  empty: isEmptyList,
  notEmpty: not(isEmptyList),
};

const OBJECT: Operators = { empty: isEmptyObject, notEmpty: not(isEmptyObject) };

const OF_TYPE: Readonly<Record<string, Operators>> = {
  string: STRING,
  number: NUMBER,
  dateTime: DATE_TIME,
  boolean: BOOLEAN,
  array: ARRAY,
  object: OBJECT,
};

/** How an operation compares values of a type; undefined when there is no such one. */
export function operatorOf(type: string, operation: string): Operator | undefined {
  if (operation === 'exists') return is;
  if (operation === 'notExists') return not(is);
  if (!Object.hasOwn(OF_TYPE, type)) return undefined;
  const operators = OF_TYPE[type] ?? {};
  return Object.hasOwn(operators, operation) ? operators[operation] : undefined;
}
