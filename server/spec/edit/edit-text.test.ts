import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomEdit } from '../../../test/support/random-edits.ts';
import type { Json } from '../../kernel/json.ts';
import type { Path } from '../values/path.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { editText } from './edit-text.ts';
import { type DocumentEdit, editValue } from './edit-value.ts';
import { applyEdits } from './text-edit.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');

function edited(
  text: string,
  edit: DocumentEdit,
  format: 'yaml' | 'json' = 'yaml',
): string | undefined {
  const edits = editText(text, edit, format);
  return edits && applyEdits(text, edits);
}

const TEXT = `# head
agent: # the root
  name: 'one' # quoted
  system_prompt: |
    Line one
      indented

  skills: [a, b] # flow
workflow:
    type: sequential # four blanks
    steps:
      # first
      - {id: a, kind: agent, ref: x} # after a
      # second
      - id: b # after b
        kind: agent
        # inner
        ref: x

      - id: c
        kind: agent
        ref: x
tools: {}
# tail
`;

describe('edits change one place', () => {
  test('a scalar keeps its quotes and its comment', () => {
    expect(edited(TEXT, { op: 'set', path: ['agent', 'name'], value: 'two' })).toBe(
      TEXT.replace("'one'", "'two'"),
    );
    expect(edited(TEXT, { op: 'set', path: ['workflow', 'type'], value: 'off' })).toBe(
      TEXT.replace('type: sequential', 'type: "off"'),
    );
  });

  test('a new key comes after the last one, at its indent', () => {
    expect(edited(TEXT, { op: 'set', path: ['workflow', 'name'], value: 'w' })).toBe(
      TEXT.replace('tools: {}', '    name: w\ntools: {}'),
    );
    expect(
      edited(TEXT, { op: 'set', path: ['workflow', 'steps', 1, 'on_error'], value: 'fail' }),
    ).toBe(TEXT.replace('        ref: x\n\n', '        ref: x\n        on_error: fail\n\n'));
    expect(
      edited(TEXT, { op: 'set', path: ['workflow', 'steps', 0, 'enabled'], value: false }),
    ).toBe(TEXT.replace('ref: x} #', 'ref: x, enabled: false} #'));
    expect(
      edited(TEXT, { op: 'set', path: ['components', 'agents', 'x'], value: { name: 'x' } }),
    ).toBe(
      TEXT.replace('tools: {}\n', 'tools: {}\ncomponents:\n  agents:\n    x:\n      name: x\n'),
    );
  });

  test('an empty collection grows', () => {
    expect(edited(TEXT, { op: 'set', path: ['tools', 't'], value: { description: 'd' } })).toBe(
      TEXT.replace('tools: {}', 'tools: {t: {description: d}}'),
    );
    expect(edited('a:\nb: 1\n', { op: 'set', path: ['a', 'x'], value: 1 })).toBe(
      'a:\n  x: 1\nb: 1\n',
    );
  });

  test('block text is written and replaced as block text', () => {
    expect(
      edited(TEXT, { op: 'set', path: ['agent', 'system_prompt'], value: 'New\ntext\n' }),
    ).toBe(TEXT.replace('    Line one\n      indented\n', '    New\n    text\n'));
    expect(edited('a: x # note\nb: 1\n', { op: 'set', path: ['a'], value: 'p\nq' })).toBeDefined();
  });

  test('items are put in, taken out and moved with their comments', () => {
    const step = { id: 'd', kind: 'agent', ref: 'x' };
    expect(edited(TEXT, { op: 'insert', path: ['workflow', 'steps', 3], value: step })).toBe(
      TEXT.replace('tools: {}', '      - id: d\n        kind: agent\n        ref: x\ntools: {}'),
    );
    expect(edited(TEXT, { op: 'delete', path: ['workflow', 'steps', 0] })).toBe(
      TEXT.replace('      - {id: a, kind: agent, ref: x} # after a\n', ''),
    );
    expect(edited(TEXT, { op: 'move', path: ['workflow', 'steps', 0], to: 1 })).toBe(
      TEXT.replace(
        /( {6}# first\n.*\n)( {6}# second\n(?:.*\n){4})/,
        (_, first: string, second: string) => second + first,
      ),
    );
    expect(edited(TEXT, { op: 'move', path: ['agent', 'skills', 0], to: 1 })).toBe(
      TEXT.replace('[a, b]', '[b, a]'),
    );
    expect(edited('l:\n  - 1', { op: 'insert', path: ['l', 1], value: 2 })).toBe(
      'l:\n  - 1\n  - 2\n',
    );
  });

  test('the last entry leaves an empty collection', () => {
    expect(edited('a:\n  x: 1\nb: 2\n', { op: 'delete', path: ['a', 'x'] })).toBe('a: {}\nb: 2\n');
    expect(edited('- x: 1\n', { op: 'delete', path: [0, 'x'] })).toBeUndefined();
    expect(edited('a:\n  - x: 1\n    y: 2\n', { op: 'delete', path: ['a', 0, 'x'] })).toBe(
      'a:\n  - y: 2\n',
    );
  });

  test('CRLF, tabs in text, anchors and merge keys stay', () => {
    const text = 'base: &b {x: 1, w: 2}\r\nuse:\r\n  <<: *b\r\n  z: "a\tb"\r\nother: *b\r\n';
    expect(edited(text, { op: 'set', path: ['use', 'x'], value: 5 })).toBe(
      text.replace('"a\tb"\r\n', '"a\tb"\r\n  x: 5\r\n'),
    );
    expect(edited(text, { op: 'set', path: ['other', 'x'], value: 5 })).toBe(
      text.replace('other: *b', 'other:\r\n  x: 5\r\n  w: 2'),
    );
    expect(edited(text, { op: 'delete', path: ['base'] })).toBeUndefined();
  });

  test('JSON stays JSON', () => {
    const text = '{\n  "a": {\n    "x": 1\n  },\n  "l": [1, 2]\n}\n';
    expect(edited(text, { op: 'set', path: ['a', 'y'], value: 'é' }, 'json')).toBe(
      text.replace('"x": 1', '"x": 1,\n    "y": "é"'),
    );
    expect(edited(text, { op: 'delete', path: ['l', 1] }, 'json')).toBe(
      text.replace('[1, 2]', '[1]'),
    );
    expect(edited(text, { op: 'rename', path: ['a', 'x'], key: 'k' }, 'json')).toBe(
      text.replace('"x"', '"k"'),
    );
  });
});

const set = (path: Path, value: Json): DocumentEdit => ({ op: 'set', path, value });
const insert = (path: Path, value: Json): DocumentEdit => ({ op: 'insert', path, value });
const remove = (...path: Path): DocumentEdit => ({ op: 'delete', path });
const move = (path: Path, to: number): DocumentEdit => ({ op: 'move', path, to });
const rename = (path: Path, key: string): DocumentEdit => ({ op: 'rename', path, key });

test.each<[string, string, DocumentEdit, string | undefined]>([
  ['an empty value in brackets', 'a: {p: , q: 1}\n', set(['a', 'p'], 2), 'a: {p: 2 , q: 1}\n'],
  ['a key without a colon', 'a: {p, q: 1}\n', set(['a', 'p'], 2), 'a:\n  p: 2\n  q: 1\n'],
  [
    'only a merge',
    'b: &b {x: 1}\nu:\n  <<: *b\n',
    set(['u', 'w'], 2),
    'b: &b {x: 1}\nu:\n  x: 1\n  w: 2\n',
  ],
  [
    'beside a merge',
    'b: &b {x: 1}\nl:\n- y: 2\n  <<: *b\n',
    remove('l', 0, 'y'),
    'b: &b {x: 1}\nl:\n- x: 1\n',
  ],
  [
    'a list on the line of its dash',
    'l:\n- - a\n  - b\n',
    insert(['l', 0, 0], 'z'),
    'l:\n- - z\n  - a\n  - b\n',
  ],
  ['its first item moved', 'l:\n- - a\n  - b\n', move(['l', 0, 0], 1), 'l:\n- - b\n  - a\n'],
  ['its first item removed', 'l:\n- - a # x\n  - b\n', remove('l', 0, 0), 'l:\n-  # x\n  - b\n'],
  ['the only item', 'l:\n  - 1 # one\nb: 2\n', remove('l', 0), 'l: []\nb: 2\n'],
  ['no line break at the end', 'l:\n  - 1\n  - 2', move(['l', 1], 0), 'l:\n  - 2\n  - 1'],
  [
    'a block text at the end of an item',
    'l:\n  - a: |\n      x\n  - 2\n',
    set(['l', 0], 'p'),
    'l:\n  - p\n  - 2\n',
  ],
  ['a comma after the only item', 'l: [a, ]\n', remove('l', 0), 'l: [ ]\n'],
  ['a comma before a comment', 'l: [a # x\n  , b]\n', remove('l', 1), 'l: [a]\n'],
  ['a list that is not there', 'a: 1\n', insert(['l', 0], 2), 'a: 1\nl:\n- 2\n'],
  [
    'a comment that ends the text',
    'a:\n  b: 1 # x',
    set(['a', 'c'], 2),
    'a:\n  b: 1 # x\n  c: 2\n',
  ],
  ['an explicit key', 'a:\n  ? k\n  ? l\n', set(['a', 'k'], 1), 'a:\n  k: 1\n  l: null\n'],
  [
    'through an alias',
    'b: &b {x: {w: 1}}\nu: *b\n',
    set(['u', 'x', 'w'], 2),
    'b: &b {x: {w: 1}}\nu:\n  x:\n    w: 2\n',
  ],
  [
    'a move through an alias',
    'b: &b [1, 2]\nu: *b\n',
    move(['u', 0], 1),
    'b: &b [1, 2]\nu:\n  - 2\n  - 1\n',
  ],
  ['the document itself', 'a: 1\n', set([], 2), undefined],
  ['a position of a mapping', 'a: {x: 1}\n', insert(['a', 0], 2), undefined],
  ['a name of a list', 'a: [1]\n', set(['a', 'x'], 2), undefined],
  ['below a text', 'a: b\n', set(['a', 'x'], 2), undefined],
  ['a key in place of a position', 'a: b\n', insert(['l', 'x'], 2), undefined],
  ['a position after the end', 'a: [1]\n', set(['a', 1], 2), undefined],
  ['a position beyond the end', 'a: [1]\n', insert(['a', 2], 2), undefined],
  ['a position before the start', 'a: [1]\n', insert(['a', -1], 2), undefined],
  ['half a position', 'a: [1]\n', insert(['a', 0.5], 2), undefined],
  ['an item that is not there', 'a: [1]\n', remove('a', 1), undefined],
  ['an entry that is not there', 'a: {x: 1}\n', remove('a', 'y'), undefined],
  ['an entry of nothing', 'a: 1\n', remove('b', 'y'), undefined],
  ['a place to move to that is not there', 'a: [1]\n', move(['a', 0], 1), undefined],
  ['a move of an entry', 'a: {x: 1}\n', move(['a', 'x'], 0), undefined],
  ['another name of a missing entry', 'a: {x: 1}\n', rename(['a', 'y'], 'z'), undefined],
  ['another name that is taken', 'a: {x: 1, z: 2}\n', rename(['a', 'x'], 'z'), undefined],
  ['another name of an item', 'a: [1]\n', rename(['a', 0], 'z'), undefined],
  [
    'a block text in a list',
    'l:\n- | # x\n  a\n- b\n',
    set(['l', 0], { w: 1 }),
    'l:\n-  # x\n  w: 1\n- b\n',
  ],
  [
    'a block text in the place of another',
    'l:\n- |\n  a\n',
    set(['l', 0], 'a\nb\n'),
    'l:\n- |\n  a\n  b\n',
  ],
  ['a block text for a word', 'a: |\n  a\nb: 1\n', set(['a'], 'w'), 'a: w\nb: 1\n'],
  ['a text after a comment at the end', 'l: [a, b] # x', insert(['l', 2], 'c'), 'l: [a, b, c] # x'],
  [
    'a block beside a comment',
    'a: # x\n  b: 1\nc: 2\n',
    set(['a'], { d: 1 }),
    'a: # x\n  d: 1\nc: 2\n',
  ],
  ['a comment after an explicit key', 'a:\n  ? k # x', set(['a', 'k'], 1), undefined],
  ['a text that cannot be read', 'a: [\n', set(['a'], 1), undefined],
  ['no text', '', set(['a'], 1), undefined],
])('an edit at %s', (_name, text, edit, wanted) => {
  expect(edited(text, edit)).toBe(wanted);
  const eol = text.replaceAll('\n', '\r\n');
  expect(edited(eol, edit)).toBe(wanted?.replaceAll('\n', '\r\n'));
});

/** A sample with comments after and above most of its lines. */
function commented(text: string): string {
  let block = false;
  return text
    .split('\n')
    .map((line, i) => {
      if (/[|>]-?$/.test(line)) block = true;
      else if (/^\S/.test(line)) block = false;
      const plain = line.trim() !== '' && !block && !line.includes('#') && !/["']$/.test(line);
      const pad = /^ */.exec(line)?.[0] ?? '';
      return plain ? `${i % 3 === 0 ? `${pad}# above ${i}\n` : ''}${line} # note ${i}` : line;
    })
    .join('\n');
}

const samples = readdirSync(SPECS)
  .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
  .map((name) => {
    const text = readFileSync(join(SPECS, name), 'utf8');
    const format = formatOfFile(name);
    const noted = commented(text);
    return { format, text: format === 'yaml' && parseSpecText(noted, 'yaml').value ? noted : text };
  });

const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'plain',
  'on',
  'two words',
  'a: b',
  'x, y',
  'line\nline\n',
  'a\n\nb',
  '',
  12,
  true,
  null,
  [],
  {},
  ['a', 'b'],
  { id: 'n', kind: 'agent', ref: 'x' },
  { deep: { list: [1, { a: 'b\nc' }] } },
);

const comments = (text: string): string[] => text.match(/# (?:above|note) \d+/g) ?? [];

test('thousands of edits say what is wanted and lose no comment outside the place they change', () => {
  let fits = 0;
  let done = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.boolean(),
      randomEdit(value),
      (sample, crlf, editOf) => {
        const text = crlf ? sample.text.replaceAll('\n', '\r\n') : sample.text;
        const parsed = parseSpecText(text, sample.format);
        const edit = editOf(parsed.value ?? {});
        const { path } = edit;
        const wanted = editValue(parsed.value ?? {}, edit);
        if (wanted === undefined) return;
        fits += 1;
        const edits = editText(text, edit, sample.format);
        if (edits === undefined) return;
        done += 1;
        const after = applyEdits(text, edits);
        expect(parseSpecText(after, sample.format).value).toEqual(wanted);
        if (crlf) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        const spot = parsed.source.nearest(
          edit.op === 'delete' && path.length > 1 ? path.slice(0, -1) : path,
        );
        const inside = new Set(
          spot
            ? comments(
                text.slice(
                  spot.key?.start.offset ?? spot.value.start.offset,
                  text.indexOf('\n', spot.value.end.offset) + 1 || undefined,
                ),
              )
            : [],
        );
        const kept = new Set(comments(after));
        for (const comment of comments(text)) {
          if (!inside.has(comment))
            expect(kept.has(comment), `${comment} lost by ${JSON.stringify(edit)}\n${after}`).toBe(
              true,
            );
        }
      },
    ),
    { numRuns: 1500 },
  );
  expect(done / fits).toBeGreaterThan(0.99);
});
