import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { type Advice, type Finding, findingOf } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { isNonTextKey, isNonTextValue, nonTextKeys } from '../values/non-text.ts';
import { lenientBoolean, lenientInteger, lenientNumber } from './scalars.ts';

/** The findings of one schema check; one a place, in the order of the fields. */
export type Findings = Finding[];

/**
 * A mapping that is being read. A block that is no mapping has reported so already; its fields are
 * then undefined to the getters and stay silent.
 */
export interface Block {
  readonly value: JsonObject;
  readonly path: string;
  readonly findings: Findings;
  readonly broken: boolean;
}

/**
 * Reads one value; reports what is wrong with it and then returns a stand-in. `dated` = the value is
 * the text of something that was written as a date.
 */
export type Reader<T> = (value: Json, path: string, findings: Findings, dated: boolean) => T;

/** The path of a key below a path. */
export function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** What a value is, in words. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      return 'a mapping';
  }
}

/** Adds an E_SCHEMA finding. */
export function report(
  findings: Findings,
  path: string,
  message: string,
  advice: Advice | string | null = null,
): void {
  findings.push(findingOf('error', 'E_SCHEMA', path || null, message, advice));
}

/** Text was wanted, and what stands there is read as something else. */
export function inQuotes(value: string | number | boolean | null): Advice {
  return { text: `Put it in quotes: "${value}".`, mend: { change: 'quote' } };
}

function wrong(findings: Findings, path: string, wanted: string, value: unknown): void {
  const quote =
    wanted === 'text' && (typeof value === 'number' || typeof value === 'boolean')
      ? inQuotes(value)
      : null;
  report(findings, path, `Expected ${wanted}, found ${nameOf(value)}.`, quote);
}

/** Opens a mapping for reading. */
export function openBlock(value: Json, path: string, findings: Findings, what: string): Block {
  if (isObject(value)) return { value, path, findings, broken: false };
  report(findings, path, `Expected ${what} as a mapping, found ${nameOf(value)}.`);
  return { value: {}, path, findings, broken: true };
}

const UNKNOWN_KEY: Advice = {
  text: 'Remove it, or move it to the block that it belongs to.',
  mend: { change: 'remove' },
};

/** Reports keys that the block does not have. */
export function closeBlock(block: Block, known: Readonly<Record<string, unknown>>): void {
  if (block.broken) return;
  for (const key of Object.keys(block.value)) {
    if (Object.hasOwn(known, key) || block.value[key] === undefined) continue;
    report(
      block.findings,
      below(block.path, key),
      `The key "${key}" is not known here.`,
      meant(key, Object.keys(known), null) ?? UNKNOWN_KEY,
    );
  }
}

/** The value of a key; undefined when the key is absent. */
export function raw(block: Block, key: string): Json | undefined {
  return Object.hasOwn(block.value, key) ? block.value[key] : undefined;
}

/** Text; a date that nobody quoted is a finding. */
export const readText: Reader<string> = (value, path, findings, dated) => {
  if (typeof value !== 'string') {
    wrong(findings, path, 'text', value);
    return '';
  }
  if (dated) {
    report(findings, path, 'Expected text, found a date.', inQuotes(value));
  }
  return value;
};

/** A whole number, also one written as text (spec-v1 4). */
export const readInteger: Reader<number> = (value, path, findings) => {
  const read = lenientInteger(value);
  if (read === undefined) wrong(findings, path, 'an integer', value);
  return read ?? 0;
};

/** A number, also one written as text (spec-v1 4). */
export const readNumber: Reader<number> = (value, path, findings) => {
  const read = lenientNumber(value);
  if (read === undefined) wrong(findings, path, 'a number', value);
  return read ?? 0;
};

/** A truth value in any of the spellings of spec-v1 4. */
export const readBoolean: Reader<boolean> = (value, path, findings) => {
  const read = lenientBoolean(value);
  if (read === undefined) wrong(findings, path, 'true or false', value);
  return read ?? false;
};

function refuseNonText(holder: JsonObject, key: string, path: string, findings: Findings): void {
  if (!isNonTextKey(holder, key)) return;
  report(findings, path, `The name ${key} is not text.`, inQuotes(key));
}

/** An open mapping; taken as it is, but its own names are text as everywhere. */
export const readObject: Reader<JsonObject> = (value, path, findings) => {
  if (isObject(value)) {
    for (const key of nonTextKeys(value)) {
      refuseNonText(value, key, below(path, key), findings);
    }
    return value;
  }
  wrong(findings, path, 'a mapping', value);
  return {};
};

/** One value of a closed list. */
export function oneOf<T extends string>(values: readonly T[]): Reader<T> {
  const [first] = values;
  if (first === undefined) throw new TypeError('a closed list has values');
  return (value, path, findings) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    const shown = typeof value === 'string' ? `"${value}"` : nameOf(value);
    const advice = typeof value === 'string' ? meant(value, values, null) : null;
    report(findings, path, `Expected one of ${values.join(', ')}; found ${shown}.`, advice);
    return first;
  };
}

/** A list whose items are read one by one. */
export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (value, path, findings) => {
    if (!Array.isArray(value)) {
      wrong(findings, path, 'a list', value);
      return [];
    }
    return value.map((item, index) =>
      read(item, `${path}[${index}]`, findings, isNonTextValue(value, index)),
    );
  };
}

/** A map from names to values that are read one by one. */
export function mapOf<T>(read: Reader<T>): Reader<Record<string, T>> {
  return (value, path, findings) => {
    const made: Record<string, T> = {};
    if (!isObject(value)) {
      wrong(findings, path, 'a mapping', value);
      return made;
    }
    for (const key of Object.keys(value)) {
      const at = below(path, key);
      refuseNonText(value, key, at, findings);
      setOwn(made, key, read(value[key] ?? null, at, findings, isNonTextValue(value, key)));
    }
    return made;
  };
}

const UP = /(?:^|[/\\])\.\.(?:[/\\]|$)/;

/** A file path of the author: no `~` at the start, no `..` segment (spec-v1 4). */
export const readPath: Reader<string> = (value, path, findings, dated) => {
  const text = readText(value, path, findings, dated);
  if (text.startsWith('~') || UP.test(text)) {
    report(
      findings,
      path,
      'A path must not start with "~" nor contain a ".." segment.',
      'Write it relative to the project, without leaving it.',
    );
  }
  return text;
};
