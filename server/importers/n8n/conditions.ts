import type { Value } from '../value.ts';
import type { N8nNode } from './document.ts';
import { readText } from './expressions.ts';

const MAX_DISPLAY = 400;
const BLOCKS = ['conditions', 'dataType', 'value1', 'combineOperation', 'rules', 'output'];
const COMBINATORS: ReadonlySet<string> = new Set(['and', 'or', 'any', 'all']);
const FLAGS: ReadonlySet<string> = new Set(['singleValue', 'caseSensitive', 'ignoreCase']);
const TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'dateTime',
  'array',
  'object',
]);
const OPERATIONS: ReadonlySet<string> = new Set(
  [
    'equals notEquals equal notEqual contains notContains startsWith notStartsWith endsWith',
    'notEndsWith regex notRegex exists notExists empty notEmpty isEmpty isNotEmpty true false',
    'gt lt gte lte larger largerEqual smaller smallerEqual after before afterOrEquals',
    'beforeOrEquals lengthEquals lengthNotEquals lengthGt lengthLt lengthGte lengthLte',
  ].flatMap((line) => line.split(' ')),
);
const REFERENCE = /\$[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*/g;

function paths(body: string): string {
  const inner = body.replaceAll('{{', ' ').replaceAll('}}', ' ');
  const references = inner.match(REFERENCE) ?? [];
  const rest = inner.replace(REFERENCE, '');
  if (references.length === 0 || /[^\s\p{P}\p{S}\d]/u.test(rest)) return '<expression>';
  return references.join(', ');
}

function word(key: string, value: string): string {
  const reading = readText(value);
  if (reading.computed) return paths(reading.text);
  if ((key === 'operation' || key === 'name') && OPERATIONS.has(value)) return value;
  if ((key === 'combinator' || key === 'combineOperation') && COMBINATORS.has(value)) return value;
  if ((key === 'type' || key === 'dataType') && TYPES.has(value)) return value;
  return '<text>';
}

function leaf(key: string, value: Value): string | undefined {
  if (typeof value === 'string') return key === 'id' ? undefined : word(key, value);
  if (typeof value === 'number') return '<number>';
  if (typeof value === 'boolean' && FLAGS.has(key)) return `${key} ${value}`;
  return undefined;
}

function side(value: Value | undefined): string {
  if (typeof value === 'string') return value === '' ? '' : word('', value);
  return typeof value === 'number' ? '<number>' : '';
}

/** One comparison as a reader expects it: left side, operator, right side. */
function comparison(value: ReadonlyMap<string, Value>): string | undefined {
  const operator = value.get('operator');
  const operation = operator instanceof Map ? operator.get('operation') : value.get('operation');
  const left = value.get('leftValue') ?? value.get('value1');
  if (typeof operation !== 'string' || left === undefined) return undefined;
  const shown = OPERATIONS.has(operation) ? operation : '<operator>';
  const right = side(value.get('rightValue') ?? value.get('value2'));
  return [side(left), shown, right].filter((part) => part !== '').join(' ');
}

function project(key: string, value: Value, out: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) project(key, item, out);
  } else if (value instanceof Map) {
    if (key === 'options') return;
    const compared = comparison(value);
    if (compared !== undefined) {
      out.push(compared);
      return;
    }
    for (const [name, item] of value) project(name, item, out);
  } else {
    const shown = leaf(key, value);
    if (shown !== undefined) out.push(shown);
  }
}

/**
 * The condition of a branch for the eye: reference paths and operators stay, every operand is
 * redacted (importers 4.12). At most 400 characters.
 */
export function displayBranch(node: N8nNode): string {
  const out: string[] = [];
  for (const block of BLOCKS) {
    const value = node.parameters.get(block);
    if (value !== undefined) project(block, value, out);
  }
  const text = out.join(' ');
  return text.length > MAX_DISPLAY ? `${text.slice(0, MAX_DISPLAY - 1)}…` : text;
}
