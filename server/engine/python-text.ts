import type { Json } from '../kernel/json.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function escapeCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  if (!NOT_PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

function textLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${[...text].map((item) => escapeCharacter(item, quote)).join('')}${quote}`;
}

/**
 * A value in Python notation. The contract fixes it in two places: the reasons of keyword and regex
 * guardrails (spec-v1 11.4) and the result of a tool that the agent did not select (11.2).
 */
export function pythonLiteral(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return textLiteral(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${textLiteral(key)}: ${pythonLiteral(item)}`).join(', ')}}`;
}
