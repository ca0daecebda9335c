import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchPattern } from './search-pattern.ts';

type Recorded = readonly (readonly [string, readonly (readonly [string, boolean])[]])[];

/** Random patterns with what the authors' own engine (Python 3.11 `re.search`) says about random texts. */
const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/patterns.json', import.meta.url), 'utf8'),
);

test('spec-v1 11.4: patterns mean what they mean in the dialect of the authors', () => {
  const wrong: string[] = [];
  for (const [pattern, texts] of recorded) {
    const search = searchPattern(pattern);
    for (const [text, found] of texts) {
      if (search(text) !== (found ? 'found' : 'absent')) wrong.push(`${pattern} on ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(recorded.length).toBeGreaterThan(250);
});

test.each([
  ['(?i)secret', 'a SECRET', true],
  ['sk-[A-Za-z0-9]{16,}', 'key sk-abcdefghijklmnop', true],
  ['\\b\\d{3}-\\d{2}-\\d{4}\\b', 'x 123-45-6789.', true],
  ['DROP\\s+TABLE', 'drop table', false],
  ['^a$', 'a\n', true],
  ['\\Aa\\Z', 'a\n', false],
  ['a.b', 'a\rb', true],
  ['\\w+é', 'naïvé', true],
  ['(?a)^\\w$', 'é', false],
  ['(?=.*\\d)(?=.*[A-Z]).{4,}', 'abC1', true],
  ['(?<!not )allowed', 'not allowed', false],
  ['(?P<q>[\'"]).+(?P=q)', 'say "x"', true],
  ['(?i)(a)\\1', 'aA', true],
  ['(?:(a)|b)(?(1)c|d)', 'bd', true],
  ['(?>a+)ab', 'aaab', false],
  ['a++b', 'aab', true],
  ['x{,2}y', 'y', true],
  ['a{2', 'a{2', true],
  ['[]a-]', '-', true],
  ['(?x) a b # both\n c', 'abc', true],
  ['a(?#twice){2}', 'aa', true],
  ['\\U0001F600', '😀', true],
  ['^.$', '😀', true],
  ['\\p{Lu}', 'é', false],
  ['\\P{Lu}', 'é', true],
  ['(?<name>a)\\k<name>', 'aa', true],
  ['\\060\\101', '0A', true],
  ['\\0', '\0', true],
  ['[\\0-\\37]', '\t', true],
  ['(?m)^b$', 'a\nb\nc', true],
  ['(?s:.)\\n', '\n\n', true],
  ['(?-i:a)', 'A', false],
  ['(?i:ſ)', 'S', true],
  ['(?i)[^a]', 'A', false],
  ['(?<=a(?!b))c', 'ac', true],
  ['(a*)*$', 'aab', true],
  ['(a*?)*?\\1b', 'aab', true],
  ['\\B', '', false],
  ['(?a)\\B', '', false],
  ['(?a)a\\b', 'aé', true],
])('%s in %j: %s', (pattern, text, found) => {
  expect(searchPattern(pattern)(text)).toBe(found ? 'found' : 'absent');
});

test.each([
  '(',
  ')',
  '(?',
  '(?z)',
  '(?i',
  'a(?i)b',
  '*a',
  'a**',
  'a{2}{3}',
  '^*',
  'a{3,1}',
  '[',
  '[z-a]',
  '[\\d-a]',
  '[a',
  '\\',
  '\\q',
  '\\x4',
  '\\U99999999',
  '\\777',
  '\\p{Nope}',
  '\\p{L',
  '\\1',
  '(a\\1)',
  '(?P=n)',
  '(?P<n>a)(?P<n>b)',
  '(?P<1>a)',
  '(?P<n',
  '(?<=a+)b',
  '(?(1)a)',
  '(?(x)a)',
  '(a)(?(1)a|b|c)',
  '(?L)a',
  '(?#',
  `${'('.repeat(500)}${')'.repeat(500)}`,
  '((a{99}){99}){99}',
])('%s is no regular expression, or too large a one', (pattern) => {
  expect(() => searchPattern(pattern)).toThrow(SyntaxError);
});

const EVIL: readonly (readonly [string, string])[] = [
  ['(a+)+$', `${'a'.repeat(5_000)}b`],
  ['(a|aa)+$', `${'a'.repeat(5_000)}b`],
  ['^(a|a?)+$', `${'a'.repeat(5_000)}b`],
  ['(.*)*x', 'a'.repeat(5_000)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(1_000)}!`],
  ['(?=(a+)+b)', 'a'.repeat(5_000)],
  ['(?<!(?:aa|ab))(a*)*c', 'a'.repeat(5_000)],
  ['a*a*a*a*a*b', 'a'.repeat(5_000)],
];

test.each(EVIL)('%s is decided in time that grows with the text', (pattern, text) => {
  expect(searchPattern(pattern)(text)).toBe('absent');
});

test.each([
  ['(a|aa)+\\1$', `${'a'.repeat(500)}b`],
  ['(?:(?>a|aa))+(?:(?>a|aa))+(a*)*\\1$', `${'a'.repeat(500)}b`],
])('%s: trying ends after a fixed number of steps', (pattern, text) => {
  expect(searchPattern(pattern)(text)).toBe('undecided');
});

test('no pattern and no text crash a search', () => {
  const piece = fc.constantFrom(
    ...['a', 'b', '.', '^', '$', '(', ')', '(?:', '(?=', '(?<!', '[', ']', '|', '*', '+', '?'],
    ...['{2}', '{,3}', '\\1', '\\b', '\\w', '\\', '(?P<n>', '(?P=n)', '(?(1)', '-', 'é', '\\d'],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.string({ maxLength: 40 }),
      (pieces, text) => {
        let search: ReturnType<typeof searchPattern>;
        try {
          search = searchPattern(pieces.join(''));
        } catch (cause) {
          expect(cause).toBeInstanceOf(SyntaxError);
          return;
        }
        expect(['found', 'absent', 'undecided']).toContain(search(text));
        expect(search(text)).toBe(search(text));
      },
    ),
    { numRuns: 800 },
  );
});
