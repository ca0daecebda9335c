import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../kernel/json.ts';
import { formatOfFile, parseSpecText } from '../parse-yaml.ts';
import type { Path } from '../path.ts';
import { applyEdits } from '../text-edit.ts';
import { editText } from './edit-text.ts';
import { type DocumentEdit, editValue } from './edit-value.ts';

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

function paths(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [
    ...(at.length > 0 ? [at] : []),
    ...entries.flatMap(([key, item]) => paths(item, [...at, key])),
  ];
}

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
      fc.nat(),
      fc.constantFrom('set', 'add', 'insert', 'delete', 'move', 'rename'),
      value,
      fc.nat(3),
      (sample, crlf, choice, op, given, to) => {
        const text = crlf ? sample.text.replaceAll('\n', '\r\n') : sample.text;
        const parsed = parseSpecText(text, sample.format);
        const all = paths(parsed.value ?? {});
        const path = all[choice % all.length] ?? [];
        const edit: DocumentEdit =
          op === 'set'
            ? { op, path, value: given }
            : op === 'add'
              ? { op: 'set', path: [...path, 'fresh key'], value: given }
              : op === 'insert'
                ? {
                    op,
                    path: [
                      ...path.slice(0, -1),
                      typeof path.at(-1) === 'number' ? Number(path.at(-1)) : 0,
                    ],
                    value: given,
                  }
                : op === 'delete'
                  ? { op, path }
                  : op === 'move'
                    ? { op, path, to }
                    : { op: 'rename', path, key: 'fresh key' };
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
