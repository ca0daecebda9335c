import type { Json, JsonObject } from '../../kernel/json.ts';
import { resolvePlain } from './scalars.ts';

/** First characters that mean something to YAML. */
const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`=]/;
/** Words and numbers of another type under YAML 1.1 or 1.2, whatever the parser. */
const WORD = /^(?:y|n|yes|no|true|false|on|off|null|~|<<|=)$/i;
const NUMBER =
  /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]*)(?:[eE][-+]?[0-9]+)?$|^[-+]?[0-9_]*(?:\.[0-9_]*)?[eE][-+]?[0-9]+$|^[-+]?0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)$/;
const NOT_FINITE = /^[-+]?\.(?:inf|nan)$/i;
const SIXTIES = /^[-+]?[0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?$/;
const DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt\s])/;
// Beside control characters: no-break space, line and paragraph separators, byte order mark,
// halves of surrogate pairs and non-characters.
const UNPRINTABLE =
  /[\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;
const UNPRINTABLE_BUT_BREAK = /[\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Most names and phrases: words that begin with a letter and hold nothing that YAML reads. */
const SIMPLE = /^(?![eE]-?[0-9])[a-zA-Z][a-zA-Z0-9_./()$]*(?:[ -][a-zA-Z0-9_./()$]+)*$/;
/** Beyond this length the whole look costs little more. */
const MAX_SIMPLE = 200;

function isPlain(text: string): boolean {
  if (text.length <= MAX_SIMPLE && SIMPLE.test(text)) return !WORD.test(text);
  if (text === '' || UNPRINTABLE.test(text) || INDICATOR.test(text)) return false;
  if (text.startsWith(' ') || text.endsWith(' ') || text.endsWith(':')) return false;
  if (text.includes(': ') || text.includes(' #') || /^(?:---|\.\.\.)/.test(text)) return false;
  if (WORD.test(text) || NUMBER.test(text) || NOT_FINITE.test(text)) return false;
  if (SIXTIES.test(text) || DATE.test(text)) return false;
  const found = resolvePlain(text);
  return !('problem' in found) && found.type === 'text';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
};

const ESCAPED = /["\\\p{Cc}\u00a0\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/gu;

function escaped(char: string): string {
  const known = ESCAPES[char];
  if (known !== undefined) return known;
  const code = char.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

function quoted(text: string): string {
  return `"${text.replace(ESCAPED, escaped)}"`;
}

function isBlock(text: string): boolean {
  if (!text.includes('\n') || text.endsWith('\n\n')) return false;
  const lines = text.split('\n');
  const [first = ''] = lines;
  if (first === '' || first.startsWith(' ')) return false;
  return lines.every(
    (line) => !line.endsWith(' ') && !UNPRINTABLE_BUT_BREAK.test(line) && !UNPRINTABLE.test(line),
  );
}

function block(text: string, indent: number): string {
  const ends = text.endsWith('\n');
  const body = ends ? text.slice(0, -1) : text;
  const pad = ' '.repeat(indent);
  const lines = body.split('\n').map((line) => (line === '' ? '' : pad + line));
  return `${ends ? '|' : '|-'}\n${lines.join('\n')}`;
}

function scalar(value: string | number | boolean | null, indent: number): string {
  if (typeof value !== 'string') {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new TypeError('a document has no NaN or infinity');
    }
    if (Object.is(value, -0)) return '0';
    return typeof value === 'number' ? numberText(value) : String(value);
  }
  if (isPlain(value)) return value;
  return isBlock(value) ? block(value, indent) : quoted(value);
}

/** An exponent needs a dot and a sign to be a number in YAML 1.1. */
function numberText(value: number): string {
  const text = String(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  const mantissa = text.slice(0, at);
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}${text.slice(at)}`;
}

/** Names come again and again, in a document and in the next one. */
const MOST_KEPT = 2000;
const keyTexts = new Map<string, string>();

function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = isPlain(key) ? key : quoted(key);
  if (keyTexts.size < MOST_KEPT && key.length <= MAX_SIMPLE) keyTexts.set(key, text);
  return text;
}

type Container = Json[] | JsonObject;

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: Container): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Appends the value's lines to `lines`: large lists must not pass through arguments of a call. */
function addMapping(lines: string[], value: JsonObject, indent: number): void {
  const pad = ' '.repeat(indent);
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    const name = `${pad}${keyText(key)}:`;
    if (!isContainer(item)) lines.push(`${name} ${scalar(item, indent + 2)}`);
    else if (isEmpty(item)) lines.push(`${name} ${Array.isArray(item) ? '[]' : '{}'}`);
    else {
      lines.push(name);
      if (Array.isArray(item)) addList(lines, item, indent);
      else addMapping(lines, item, indent + 2);
    }
  }
}

function addList(lines: string[], list: readonly Json[], indent: number): void {
  const pad = ' '.repeat(indent);
  for (const item of list) {
    if (!isContainer(item)) lines.push(`${pad}- ${scalar(item, indent + 2)}`);
    else if (isEmpty(item)) lines.push(`${pad}- ${Array.isArray(item) ? '[]' : '{}'}`);
    else {
      const start = lines.length;
      if (Array.isArray(item)) addList(lines, item, indent + 2);
      else addMapping(lines, item, indent + 2);
      lines[start] = `${pad}- ${(lines[start] ?? '').slice(indent + 2)}`;
    }
  }
}

/**
 * Writes a value as YAML that parsers of YAML 1.1 and 1.2 read back as equal data (spec-v1 21):
 * block style, no folding, keys in the order of the data.
 * @throws TypeError for NaN and infinities.
 */
export function emitYaml(value: Json): string {
  if (!isContainer(value)) return `${scalar(value, 2)}\n`;
  if (isEmpty(value)) return Array.isArray(value) ? '[]\n' : '{}\n';
  const lines: string[] = [];
  if (Array.isArray(value)) addList(lines, value, 0);
  else addMapping(lines, value, 0);
  return `${lines.join('\n')}\n`;
}

/** One scalar as {@link emitYaml} writes it on a line of its own: never a block. */
export function emitInline(value: string | number | boolean | null): string {
  if (typeof value === 'string') return keyText(value);
  return scalar(value, 0);
}
