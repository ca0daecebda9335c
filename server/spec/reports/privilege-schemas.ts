import { isObject } from '../../kernel/json.ts';
import type { PathSegment } from '../values/path.ts';

/** A position of an embedded JSON Schema that is not allowed, and why. */
export interface SchemaFinding {
  readonly path: readonly PathSegment[];
  readonly reason: string;
}

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
/** Keywords of this form say nothing to a validator: importers note there what a step was made of. */
const ANNOTATION = 'x-';
const MAX_PATHS = 1000;

const words = (text: string): readonly string[] => text.split(' ');
const SCHEMA_MAPS = new Set(
  words('properties patternProperties $defs definitions dependentSchemas'),
);
const SCHEMA_LISTS = new Set(words('allOf anyOf oneOf prefixItems'));
const SUBSCHEMAS = new Set(
  words(
    'items contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames not if then else contentSchema',
  ),
);
const PLAIN = new Set(
  words(
    '$id $anchor $comment title description default examples deprecated readOnly writeOnly type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired format contentEncoding contentMediaType',
  ),
);
const REFERENCES = new Set(words('$ref $dynamicRef $recursiveRef'));

interface Cursor {
  readonly text: string;
  at: number;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

function skipClass(cursor: Cursor): void {
  cursor.at += 1;
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== ']') {
    cursor.at += cursor.text[cursor.at] === '\\' ? 2 : 1;
  }
  cursor.at += 1;
}

function atomPaths(cursor: Cursor): number {
  const char = cursor.text[cursor.at];
  if (char === '(') {
    cursor.at += 1;
    const paths = alternatives(cursor);
    cursor.at += 1;
    return paths;
  }
  if (char === '[') skipClass(cursor);
  else cursor.at += char === '\\' ? 2 : 1;
  return 1;
}

function repeated(paths: number, least: number, most: number): number {
  if (most === UNBOUNDED) return UNBOUNDED;
  let total = 0;
  for (let count = least; count <= most && total <= MAX_PATHS; count += 1) total += paths ** count;
  return total;
}

function quantified(cursor: Cursor, paths: number): number {
  const rest = cursor.text.slice(cursor.at);
  const match = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(rest);
  if (match === null) return paths;
  cursor.at += match[0].length;
  if (match[0].startsWith('?')) return paths + 1;
  if (match[1] === undefined) return UNBOUNDED;
  const least = Number(match[1]);
  if (match[2] === undefined) return repeated(paths, least, least);
  return repeated(paths, least, match[3] === '' ? UNBOUNDED : Number(match[3]));
}

function sequence(cursor: Cursor): number {
  let total = 1;
  while (cursor.at < cursor.text.length && !'|)'.includes(cursor.text.charAt(cursor.at))) {
    total *= quantified(cursor, atomPaths(cursor));
  }
  return total;
}

function alternatives(cursor: Cursor): number {
  let total = sequence(cursor);
  while (cursor.text[cursor.at] === '|') {
    cursor.at += 1;
    total += sequence(cursor);
  }
  return total;
}

/** How many ways a pattern can be walked; infinity when a repetition has no end. */
export function regexPaths(pattern: string): number {
  const cursor: Cursor = { text: pattern, at: 0 };
  let total = alternatives(cursor);
  while (cursor.at < pattern.length) {
    cursor.at += 1;
    total += alternatives(cursor);
  }
  return total;
}

function regexReason(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return 'a pattern must be text';
  const paths = regexPaths(pattern);
  if (paths === UNBOUNDED) return 'the pattern repeats without an end';
  return paths > MAX_PATHS ? `the pattern has more than ${MAX_PATHS} paths` : undefined;
}

type Path = readonly PathSegment[];

function keywordReason(key: string, value: unknown): string | undefined {
  if (REFERENCES.has(key)) return 'a schema may not refer to another';
  if (key === '$schema') {
    const known = typeof value === 'string' && DIALECT.test(value);
    return known ? undefined : 'only the dialect 2020-12 is read';
  }
  if (key === 'pattern') return regexReason(value);
  if (key.startsWith(ANNOTATION)) return undefined;
  const known =
    PLAIN.has(key) || SCHEMA_MAPS.has(key) || SCHEMA_LISTS.has(key) || SUBSCHEMAS.has(key);
  return known ? undefined : 'the keyword is unknown';
}

function scanMap(key: string, value: unknown, path: Path, out: SchemaFinding[]): void {
  if (!isObject(value)) return;
  for (const [name, schema] of Object.entries(value)) {
    const reason = key === 'patternProperties' ? regexReason(name) : undefined;
    if (reason !== undefined) out.push({ path: [...path, name], reason });
    scanSchema(schema, [...path, name], out);
  }
}

/** Finds what a JSON Schema inside a spec may not hold: references, dialects, unbounded patterns. */
export function scanSchema(schema: unknown, path: Path, out: SchemaFinding[]): void {
  if (!isObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    const place = [...path, key];
    const reason = keywordReason(key, value);
    if (reason !== undefined) out.push({ path: place, reason });
    if (SCHEMA_MAPS.has(key)) scanMap(key, value, place, out);
    else if (SCHEMA_LISTS.has(key) && Array.isArray(value)) {
      value.forEach((item, index) => {
        scanSchema(item, [...place, index], out);
      });
    } else if (SUBSCHEMAS.has(key)) scanSchema(value, place, out);
  }
}
