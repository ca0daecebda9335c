import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPattern, type SearchResult } from './search-pattern.ts';
import { StepBudget, Subject } from './subject.ts';

/** A search with twenty million steps, without a pause. */
function searchPattern(pattern: string): (text: string) => SearchResult {
  const search = readPattern(pattern);
  return (text) => {
    const budget = new StepBudget(20_000_000);
    const searching = search(Subject.of(text, budget), budget);
    let moment = searching.next();
    while (moment.done !== true) moment = searching.next();
    return moment.value;
  };
}

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
  '(?:(?:){20000}){20000}',
  `a{${'9'.repeat(400)}}`,
  '(?:){1000000000}',
  'a|'.repeat(30_000),
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

test('a step is counted for whatever takes time', () => {
  const steps = (pattern: string, text: string): number => {
    const budget = new StepBudget(1_000_000_000);
    const searching = readPattern(pattern)(Subject.of(text, budget), budget);
    while (searching.next().done !== true);
    return budget.used;
  };
  const text = 'x'.repeat(10_000);
  // Characters that nothing begins with, alternatives that may begin, tables of looks, large sets,
  // copies of groups, and what a pattern unfolds to.
  expect(steps('y', text)).toBeGreaterThan(10_000);
  expect(steps([...'abcdefgh'].join('|'), text)).toBeGreaterThan(80_000);
  expect(steps('(?=a)'.repeat(50), text)).toBeGreaterThan(500_000);
  expect(steps(`x[${'\u0100-\u0101'.repeat(200)}]`, text)).toBeGreaterThan(300_000);
  expect(steps(`${'(a)?'.repeat(80)}(b)?\\1\\1z`, 'aaaa')).toBeGreaterThan(10_000);
  expect(steps('z{19000}', 'x')).toBeGreaterThan(19_000);
});

test('searches that share a budget end together', () => {
  const budget = new StepBudget(50_000);
  const subject = Subject.of('a'.repeat(10_000), budget);
  const results = ['b', 'c', 'd', 'e', 'f'].map((pattern) => {
    const searching = readPattern(pattern)(subject, budget);
    let moment = searching.next();
    while (moment.done !== true) moment = searching.next();
    return moment.value;
  });
  expect(results[0]).toBe('absent');
  expect(results.at(-1)).toBe('undecided');
});
