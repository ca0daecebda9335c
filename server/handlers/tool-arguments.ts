import type { JsonObject } from '../items/item.ts';
import { isObject } from '../kernel/json.ts';

const CALL = '$fromAI';
const QUOTES = new Set(["'", '"', '`']);
const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);

/** Where a quoted text that begins at a place ends. */
function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

interface Arguments {
  readonly list: readonly string[];
  /** Behind the closing parenthesis. */
  readonly end: number;
}

/** The texts of the arguments of a call whose parenthesis opens at a place; undefined when it never closes. */
function argumentsAt(text: string, open: number): Arguments | undefined {
  const list: string[] = [];
  let depth = 0;
  let begun = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (QUOTES.has(character)) at = endOfQuote(text, at) - 1;
    else if (OPEN.has(character)) depth += 1;
    else if (character === ',' && depth === 1) {
      list.push(text.slice(begun, at).trim());
      begun = at + 1;
    } else if (CLOSE.has(character)) {
      depth -= 1;
      if (depth > 0) continue;
      return { list: [...list, text.slice(begun, at).trim()], end: at + 1 };
    }
  }
  return undefined;
}

/** The text that a literal of JavaScript stands for; undefined for anything else. */
function literal(text: string | undefined): string | undefined {
  const [quote] = text ?? '';
  if (text === undefined || quote === undefined || !QUOTES.has(quote)) return undefined;
  if (endOfQuote(text, 0) !== text.length) return undefined;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** A text as JavaScript, without a brace that could end its expression. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[{}]/g, (brace) => (brace === '{' ? '\\u007b' : '\\u007d'));
}

function asCode(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null
    ? `JSON.parse(${quoted(JSON.stringify(value))})`
    : JSON.stringify(value);
}

function filled(text: string, given: JsonObject): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(CALL); at !== -1; at = text.indexOf(CALL, done)) {
    const open = at + CALL.length + (/^\s*/.exec(text.slice(at + CALL.length))?.[0].length ?? 0);
    const call = text[open] === '(' ? argumentsAt(text, open) : undefined;
    const key = literal(call?.list[0]);
    if (call === undefined || key === undefined) {
      out += text.slice(done, at + CALL.length);
      done = at + CALL.length;
      continue;
    }
    const value = Object.hasOwn(given, key) ? asCode(given[key]) : (call.list[3] ?? 'undefined');
    out += `${text.slice(done, at)}(${value})`;
    done = call.end;
  }
  return out + text.slice(done);
}

/**
 * The settings of a step that is offered as a tool, with what the calling model gave in place of
 * `$fromAI(key, description, type, default)`. What it gave is data: it cannot end its expression.
 */
export function withArguments(settings: unknown, given: JsonObject): unknown {
  if (typeof settings === 'string')
    return settings.startsWith('=') ? filled(settings, given) : settings;
  if (Array.isArray(settings)) return settings.map((item) => withArguments(item, given));
  if (!isObject(settings)) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, withArguments(value, given)]),
  );
}
