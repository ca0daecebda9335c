import { type CharacterTest, categoryTest, propertyTest } from './characters.ts';
import type { PatternReader } from './pattern-reader.ts';

/** What an escape stands for inside and outside of a set. */
export type Escape =
  | { readonly kind: 'test'; readonly test: CharacterTest }
  | { readonly kind: 'code'; readonly code: number };

const CONTROLS: Readonly<Record<string, number>> = {
  a: 7,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const LAST_CODE = 0x10ffff;

function hexCode(reader: PatternReader, letter: string, length: number): number {
  const digits = reader.while(/[0-9a-fA-F]/, length);
  const code = Number.parseInt(digits, 16);
  if (digits.length !== length || code > LAST_CODE) {
    throw new SyntaxError(`incomplete escape \\${letter}${digits}`);
  }
  return code;
}

/** Reads the rest of an escape after its backslash and letter, where the letter is no digit. */
export function readEscape(reader: PatternReader, letter: string, ascii: boolean): Escape {
  const category = categoryTest(letter, ascii);
  if (category !== undefined) return { kind: 'test', test: category };
  const digits = Object.hasOwn(HEX_DIGITS, letter) ? HEX_DIGITS[letter] : undefined;
  if (digits !== undefined) return { kind: 'code', code: hexCode(reader, letter, digits) };
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined;
  if (control !== undefined) return { kind: 'code', code: control };
  if ((letter === 'p' || letter === 'P') && reader.take('{')) {
    return { kind: 'test', test: propertyTest(reader.upTo('}'), letter === 'P') };
  }
  if (letter === '' || /[a-zA-Z]/.test(letter)) throw new SyntaxError(`bad escape \\${letter}`);
  return { kind: 'code', code: letter.codePointAt(0) ?? 0 };
}

/** The code of an octal escape: its digits, at most three. */
export function octalCode(digits: string): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) throw new SyntaxError(`octal escape \\${digits} is out of range`);
  return code;
}
