import { anyOf, between, type CharacterTest, negated } from './characters.ts';
import { type Escape, octalCode, readEscape } from './escapes.ts';
import type { PatternReader } from './pattern-reader.ts';

const BACKSPACE = 8;

function member(reader: PatternReader, ascii: boolean): Escape {
  const character = reader.next();
  if (character === '') throw new SyntaxError('missing ]');
  if (character !== '\\') return { kind: 'code', code: character.codePointAt(0) ?? 0 };
  if (/[0-7]/.test(reader.peek)) {
    return { kind: 'code', code: octalCode(reader.while(/[0-7]/, 3)) };
  }
  const letter = reader.next();
  if (letter === 'b') return { kind: 'code', code: BACKSPACE };
  return readEscape(reader, letter, ascii);
}

function testOf(read: Escape): CharacterTest {
  return read.kind === 'test' ? read.test : between(read.code, read.code);
}

function range(first: Escape, last: Escape): CharacterTest {
  if (first.kind === 'test' || last.kind === 'test' || last.code < first.code) {
    throw new SyntaxError('bad character range');
  }
  return between(first.code, last.code);
}

/** Reads a set after its `[`. A `]` that comes first is a member. */
export function parseSet(
  reader: PatternReader,
  ascii: boolean,
  fold: (test: CharacterTest) => CharacterTest,
): CharacterTest {
  const negative = reader.take('^');
  const tests: CharacterTest[] = [];
  for (let first = true; first || reader.peek !== ']'; first = false) {
    const start = member(reader, ascii);
    if (reader.peek !== '-' || reader.characters[reader.at + 1] === ']') {
      tests.push(testOf(start));
      continue;
    }
    reader.next();
    tests.push(range(start, member(reader, ascii)));
  }
  reader.next();
  const found = fold(anyOf(tests));
  return negative ? negated(found) : found;
}
