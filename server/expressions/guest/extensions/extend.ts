import { DateTime, Duration, Interval } from 'luxon';
import { ARRAY_EXTENSIONS } from './arrays.ts';
import { DATE_EXTENSIONS } from './dates.ts';
import { type Extension, type Extensions, fail } from './kinds.ts';
import { BOOLEAN_EXTENSIONS, NUMBER_EXTENSIONS } from './numbers.ts';
import { OBJECT_EXTENSIONS } from './objects.ts';
import { STRING_EXTENSIONS } from './strings.ts';

const TYPES: readonly (readonly [label: string, table: Extensions])[] = [
  ['Array', ARRAY_EXTENSIONS],
  ['Boolean', BOOLEAN_EXTENSIONS],
  ['Date', DATE_EXTENSIONS],
  ['Number', NUMBER_EXTENSIONS],
  ['Object', OBJECT_EXTENSIONS],
  ['String', STRING_EXTENSIONS],
];

/** Every name that a type of the source adds. */
export const EXTENSION_NAMES: readonly string[] = [
  ...new Set(TYPES.flatMap(([, table]) => Object.keys(table))),
];

function tableOf(value: unknown): Extensions | undefined {
  switch (typeof value) {
    case 'string':
      return STRING_EXTENSIONS;
    case 'number':
      return NUMBER_EXTENSIONS;
    case 'boolean':
      return BOOLEAN_EXTENSIONS;
    case 'object':
      if (Array.isArray(value)) return ARRAY_EXTENSIONS;
      if (value instanceof Date || DateTime.isDateTime(value)) return DATE_EXTENSIONS;
      return OBJECT_EXTENSIONS;
    default:
      return undefined;
  }
}

/** Objects bring functions of their own: those of earlier steps, of Luxon, of collections. */
function isOwn(value: object, name: string): boolean {
  if (DateTime.isDateTime(value)) return !Object.hasOwn(DATE_EXTENSIONS, name);
  return typeof (value as Record<string, unknown>)[name] === 'function';
}

function extensionOf(value: unknown, name: string): Extension | undefined {
  if (typeof value === 'object' && value !== null && isOwn(value, name)) return undefined;
  const table = tableOf(value);
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function words(list: readonly string[]): string {
  const quoted = list.map((label) => `"${label}"`);
  if (quoted.length === 1) return quoted[0] ?? '';
  return quoted.length === 2
    ? quoted.join(' and ')
    : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

function callOn(value: unknown, name: string, given: readonly unknown[]): unknown {
  const extension = extensionOf(value, name);
  if (extension !== undefined) return extension(value as never, ...(given as never[]));
  const own = (value as Record<string, unknown>)[name];
  if (typeof own === 'function') return own.apply(value, given);
  const labels = TYPES.filter(([, table]) => Object.hasOwn(table, name)).map(([label]) => label);
  const kind = labels.length === 1 ? 'type' : 'types';
  return fail(`${name}() is only callable on ${kind} ${words(labels)}`);
}

/** `value.name(…)` where the name is one that a type of the source adds. */
export function extend(value: unknown, name: string, ...given: unknown[]): unknown {
  if (value === null || value === undefined) {
    if (name === 'isEmpty') return true;
    if (name === 'isNotEmpty') return false;
    return fail(`${name} can't be used on ${value} value`);
  }
  return callOn(value, name, given);
}

/** `value.name?.(…)`: nothing where no type of the value has that name. */
export function extendIfThere(value: unknown, name: string, ...given: unknown[]): unknown {
  const there =
    extensionOf(value, name) !== undefined ||
    (value as Record<string, unknown>)[name] !== undefined;
  return there ? callOn(value, name, given) : undefined;
}

/** The classes of Luxon that expressions may name. */
export const LUXON = { DateTime, Duration, Interval };
