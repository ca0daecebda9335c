import { isObject, type Json } from '../../kernel/json.ts';
import { emitInline, emitYaml } from '../yaml/emit-yaml.ts';
import type { SourceScalar } from '../yaml/source-map.ts';
import { flowSafe } from './text-edit.ts';

/** How new text is written into a document. */
export interface Hand {
  readonly json: boolean;
  readonly eol: string;
}

/** A value on one line, for inside `{…}` and `[…]`. */
export function flowText(value: Json, hand: Hand): string {
  if (hand.json) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, hand)).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => `${flowKey(key, hand)}: ${flowText(item, hand)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  const written = emitInline(value);
  return typeof value === 'string' ? flowSafe(written, value) : written;
}

/** A key for inside `{…}`. */
export function flowKey(key: string, hand: Hand): string {
  return hand.json ? JSON.stringify(key) : flowSafe(emitInline(key), key);
}

function indented(text: string, indent: number, hand: Hand): string {
  const pad = ' '.repeat(indent);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : pad + line))
    .join(hand.eol);
}

/** `key: value` as lines of block style, without the last line break. */
export function entryLines(key: string, value: Json, indent: number, hand: Hand): string {
  return indentBlock(emitYaml({ [key]: value }), indent, hand);
}

/** `- value` as lines of block style, without the last line break. */
export function itemLines(value: Json, indent: number, hand: Hand): string {
  return indentBlock(emitYaml([value]), indent, hand);
}

function indentBlock(text: string, indent: number, hand: Hand): string {
  // emitYaml ends in one line break; a literal block keeps those of its value.
  return indented(text.slice(0, -1).replace(/(?<!\n)\n+$/, ''), indent, hand);
}

/** A value in block style: what stands on the line of its key or dash, and the lines below. */
export interface BlockText {
  readonly head: string;
  /** Lines without the last line break; empty when the head says it all. */
  readonly body: string;
}

function isFilled(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/**
 * Writes a value whose children stand at `indent`. A `compact` one begins on the line of its dash.
 */
export function blockText(value: Json, indent: number, compact: boolean, hand: Hand): BlockText {
  if (isFilled(value)) {
    const lines = indentBlock(emitYaml(value), indent, hand);
    if (!compact) return { head: '', body: lines };
    const [first = '', ...rest] = lines.split(hand.eol);
    return { head: first.slice(indent), body: rest.join(hand.eol) };
  }
  const text = emitYaml({ k: value })
    .slice(3, -1)
    .replace(/(?<!\n)\n+$/, '');
  const [head = '', ...rest] = text.split('\n');
  const pad = ' '.repeat(Math.max(0, indent - 2));
  const body = rest.map((line) => (line === '' ? '' : pad + line)).join(hand.eol);
  return { head: head.trimStart(), body };
}

/** A scalar on one line in the quotes of the one that it replaces, where they can hold it. */
export function scalarLike(old: SourceScalar, value: Json, hand: Hand): string | undefined {
  if (hand.json || typeof value !== 'string' || /[\p{Cc}\u0085\u2028\u2029\ufeff]/u.test(value)) {
    return undefined;
  }
  if (old.style === 'single') return `'${value.replaceAll("'", "''")}'`;
  return old.style === 'double' ? JSON.stringify(value) : undefined;
}
