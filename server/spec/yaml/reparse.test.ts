import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reparseYaml } from './reparse.ts';
import { parseYamlTree } from './tree.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const samples = readdirSync(SPECS)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(SPECS, name), 'utf8'));

const TRICKY = `# head
a:
  text: |2
    two
     more

  # inside
  folded: >-
    one

    two
  list:
  - x: 1
    y: [1,
      2]
  # before the last
  - plain text
    over lines
  - "quoted
    over lines"
 # low comment
b: &anchor
  x: 1
c:
  use: *anchor
  other: {a: *anchor, b: [c, d]} # side

d: *anchor
e:
  <<: *anchor
  z: 2
f:
- - nested
  - - deeper
    - on
-
  alone: 1
g:
# tail
`;

function agrees(before: string, after: string): boolean {
  const read = parseYamlTree(before);
  expect(read.problems).toEqual([]);
  const root = reparseYaml({ text: before, root: read.root }, after);
  if (root === undefined) return false;
  const whole = parseYamlTree(after);
  expect(whole.problems).toEqual([]);
  expect(root).toEqual(whole.root);
  return true;
}

describe('a changed text is read in part', () => {
  test('after typing inside of one entry', () => {
    for (const [from, to] of [
      ['one\n', 'one two\n'],
      ['y: [1,', 'yy: [1, 3,'],
      ['plain text', 'plainer text\n    and more'],
      ['  x: 1\nc', '  x: 1\n  new: |\n    a\nc'],
      ['- deeper', '- deeper\n    - still'],
      ['     more\n\n', '     more\n\n\n'],
      ['- deeper\n', '- deeper'],
      ['alone: 1', 'alone:'],
    ] as const) {
      const after = TRICKY.replace(from, to);
      expect(after).not.toBe(TRICKY);
      agrees(TRICKY, after);
    }
    const [sample = ''] = samples;
    expect(agrees(sample, sample.replace('name: ', 'name: x'))).toBe(true);
  });

  test('the same text keeps its tree', () => {
    const { root } = parseYamlTree(TRICKY);
    expect(reparseYaml({ text: TRICKY, root }, TRICKY)).toBe(root);
    expect(reparseYaml({ text: '', root: undefined }, 'a: 1')).toBeUndefined();
  });
});

const pieces = fc.constantFrom(
  '',
  'x',
  ' ',
  '  ',
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  ': ',
  'k: v\n',
  '    k: v\n',
  '#',
  ' # note',
  "'",
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  '|\n',
  '&a ',
  '*a',
  '---\n',
  '%',
  '\t',
  '\r\n',
  '? ',
  '<<: ',
  '!!str ',
  '\uFEFF',
  '~',
);

test('thousands of edits: what is read in part is what reading the whole gives', () => {
  let parts = 0;
  let sound = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(TRICKY, ...samples),
      fc.boolean(),
      fc.nat(),
      fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(200) }),
      pieces,
      (sample, crlf, at, cut, added) => {
        const text = crlf ? sample.replaceAll('\n', '\r\n') : sample;
        const start = at % (text.length + 1);
        const after = text.slice(0, start) + added + text.slice(start + cut);
        if (parseYamlTree(after).problems.length === 0) sound += 1;
        if (agrees(text, after)) parts += 1;
      },
    ),
    { numRuns: 800 },
  );
  expect(parts / sound).toBeGreaterThan(0.75);
});
