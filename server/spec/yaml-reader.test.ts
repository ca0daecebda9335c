import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import { emitYaml } from './emit-yaml.ts';
import { parseSpecText } from './parse-yaml.ts';
import type { SourceNode } from './source-map.ts';
import { YamlFault } from './yaml-cursor.ts';
import { recoverYamlTree } from './yaml-nodes.ts';
import { readYaml } from './yaml-reader.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');
const SPECS = join(FIXTURES, 'specs');
const recorded: [string, Json][] = JSON.parse(
  readFileSync(join(FIXTURES, 'yaml/yaml-1.1.json'), 'utf8'),
);
const samples = [SPECS, join(SPECS, 'invalid')].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(join(folder, file), 'utf8')),
);

describe('spec-v1 1: text is read as a reader of YAML 1.1 reads it', () => {
  test('over a thousand recorded texts give the recorded data, or are refused', () => {
    const apart = recorded.flatMap(([text, wanted]) => {
      const found = parseSpecText(text, 'yaml').value ?? null;
      return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [{ text, wanted, found }];
    });
    expect(recorded.length).toBeGreaterThan(1000);
    expect(apart).toEqual([]);
  });

  test.each<[string, string, Json]>([
    [
      'a flow collection may leave the indentation',
      'a: {b: 1,\nc: [2,\n3]}\n',
      { a: { b: 1, c: [2, 3] } },
    ],
    ['a comment may touch quotes', 'a: "b"#c\n', { a: 'b' }],
    [
      'of two merge keys the later one wins',
      'x: &x {k: 1}\ny: &y {k: 2}\nz:\n  <<: *x\n  <<: *y\n',
      { x: { k: 1 }, y: { k: 2 }, z: { k: 2 } },
    ],
    [
      'the first of a list of merged mappings wins',
      'x: &x {k: 1}\ny: &y {k: 2}\nz: {<<: [*x, *y]}\n',
      { x: { k: 1 }, y: { k: 2 }, z: { k: 1 } },
    ],
    [
      'carriage returns end lines',
      'a: |\r\n  b\r\n  c\r\nd: e\r\n  f\r\n',
      { a: 'b\nc\n', d: 'e f' },
    ],
    [
      'an anchor above a mapping is its own',
      'a: &x\n  b: 1\nc: *x\n',
      { a: { b: 1 }, c: { b: 1 } },
    ],
    ["an anchor beside a key is the key's", '&x a: *x\n', { a: 'a' }],
    ['a sign of a float needs a digit', 'a: -.5\nb: .5\n', { a: '-.5', b: 0.5 }],
    ['surrogate pairs in escapes', 'a: "\\ud83d\\ude00\\U0001F600"\n', { a: '😀😀' }],
    ['a document may end with three dots', '%YAML 1.1\n---\na: 1\n...\n# end\n', { a: 1 }],
    [
      'an empty tagged value',
      'a: !!str\nb: {c: !!str , d: !!null }\n',
      { a: '', b: { c: '', d: null } },
    ],
    ['tags of collections', 'a: !!map {b: 1}\nc: !!seq\n- 1\n', { a: { b: 1 }, c: [1] }],
    ['verbatim tags', 'a: !<tag:yaml.org,2002:str> 5\n', { a: '5' }],
    ['question marks with and without a value', '? a\n? b\n: - 1\n  - 2\n', { a: null, b: [1, 2] }],
    [
      'pairs in a list',
      'a: [b: 1, ? c : 2, ? d, : e]\n',
      { a: [{ b: 1 }, { c: 2 }, { d: null }, { null: 'e' }] },
    ],
  ])('%s', (_, text, wanted) => {
    const { value, problems } = parseSpecText(text, 'yaml');
    expect(problems).toEqual([]);
    expect(value).toEqual(wanted);
  });

  test.each<[string, string, number]>([
    ['a tab before a value', 'a:\tb\n', 2],
    ['a tab behind a value', 'a: b\t\n', 4],
    ['a tab that indents', 'a:\n\tb: 1\n', 3],
    ['a control character', 'a: "b\u0007"\n', 5],
    ['half a surrogate pair', 'a: \ud83d\n', 3],
    ['a second colon on a line', 'a: b: c\n', 3],
    ['a list beside its key', 'a: - b\n', 3],
    ['a line between two indentations', 'a:\n    b: 1\n  c: 2\n', 14],
    ['a list item among keys', 'a: 1\n- b\n', 5],
    ['text behind quotes', 'a: "b" c\n', 7],
    ['text behind a bracket', 'a: [b] c\n', 7],
    ['a key without a colon', 'a: 1\nb\n', 5],
    ['an unknown escape', 'a: "\\q"\n', 4],
    ['a code point beyond the last', 'a: "\\UFFFFFFFF"\n', 4],
    ['quotes that stay open', 'a: "b\n', 3],
    ['quotes over the end of the document', 'a: "b\n---\n"\n', 3],
    ['a bracket that stays open', 'a: [b\n', 3],
    ['a bracket of the wrong kind', 'a: [b}\n', 5],
    ['a missing value between commas', 'a: [b,,c]\n', 6],
    ['a key and its colon on two lines', 'a: {b\n: 1}\n', 4],
    ['an alias without an anchor', 'a: *b\n', 3],
    ['an alias inside of its anchor', 'a: &b [*b]\n', 7],
    ['an alias with an anchor', 'a: &b 1\nc: &d *b\n', 14],
    ['an anchor without a name', 'a: & b\n', 3],
    ['two anchors of one value', 'a: &b &c d\n', 6],
    ['two anchors on two lines', 'a: &b\n  &c d\n', 11],
    ['a tag that stays open', 'a: !<b\n', 3],
    ['an anchor that runs into a bracket', 'a: &b[1]\n', 3],
    ['an unknown tag of a value', 'a: !b c\n', 6],
    ['an unknown tag of a mapping', 'a: !!set {b}\n', 9],
    ['a tag that does not fit', 'a: !!int b\n', 9],
    ['a list as a key', '[a]: b\n', 0],
    ['a mapping as a key in brackets', 'a: {{b: 1}: c}\n', 4],
    ['a merge key that takes text', 'a: {<<: b}\n', 8],
    ['a merge key that takes a list of texts', 'a:\n  <<: [b]\n', 9],
    ['text behind the sign of a block', 'a: | b\n  c\n', 3],
    ['a percent sign', 'a: %b\n', 3],
    ['a dash behind an anchor', 'a: &b - c\n', 6],
    ['a directive without a document', '%YAML 1.1\na: 1\n', 10],
    ['a second document', 'a: 1\n---\nb: 2\n', 5],
    ['a line behind the document', '"a"\nb\n', 4],
  ])('%s is a fault at its place', (_, text, at) => {
    const document = parseSpecText(text, 'yaml');
    expect(document.value).toBeUndefined();
    expect(document.diagnostics.map(({ code, path }) => ({ code, path }))).toEqual([
      { code: 'E_PARSE', path: null },
    ]);
    let start = document.problems[0]?.start;
    try {
      readYaml(text);
    } catch (fault) {
      if (fault instanceof YamlFault) start = fault.problem.start;
    }
    expect(start).toBe(at);
  });
});

/** The tree without the places of empty values, which two readers may see differently. */
function outline(node: SourceNode): unknown {
  if (node.kind === 'map') {
    const entries = node.entries.map(({ key, keyStart, keyEnd, value }) => ({
      key,
      keyStart,
      keyEnd,
      value: outline(value),
    }));
    return { map: entries, start: node.start, end: node.end, merged: node.merged.map(outline) };
  }
  if (node.kind === 'list') return { list: node.items.map(outline), start: node.start };
  return node;
}

test('places are those of the recovering reader, so that an edit sees the same text in both', () => {
  for (const text of samples) {
    const recovered = recoverYamlTree(text);
    expect(recovered.problems).toEqual([]);
    const root = readYaml(text);
    expect(root && outline(root)).toEqual(recovered.root && outline(recovered.root));
  }
});

test('written data reads back, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (data) => {
      fc.pre(!/[0-9]{16}/.test(JSON.stringify(data)));
      const value = JSON.parse(JSON.stringify({ data }));
      expect(parseSpecText(emitYaml(value), 'yaml').value).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test('no text makes the reader do anything but read or refuse', () => {
  const signs = fc.constantFrom(
    ...['a', ' ', '  ', '\n', '\n  ', ':', ': ', '- ', '? ', '#', ' #', '{', '}', '[', ']', ','],
    ...['"', "'", '\\', '|', '>', '&a', '*a', '!!str ', '<<: ', '\t', '---', '...', '%', '\r\n'],
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      try {
        readYaml(parts.join(''));
      } catch (fault) {
        expect(fault).toBeInstanceOf(YamlFault);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a hundred thousand characters of one sign is read or refused in linear time', () => {
  const signs = [
    'a',
    ' ',
    '\n',
    'a\n',
    'a: b\n',
    '- ',
    '- a\n',
    '[',
    '[],',
    '{a: b},',
    '"',
    "'a' ",
    '# ',
    '&a ',
    '*a ',
    '!!str ',
    '|\n',
    '? ',
    ': ',
    'a: |\n b\n',
    '  a: "b\\\n"\n',
    '<<: {}\n',
    '---\n',
    '\\',
    '\r',
    '\t',
    '%',
    'é',
    '\ud83d\ude00',
  ];
  for (const sign of signs) {
    const text = sign.repeat(Math.ceil(100_000 / sign.length));
    for (const whole of [text, `a: ${text}`, `a: "${text}`, `a: [${text}`, `a: |\n ${text}`]) {
      const start = performance.now();
      try {
        readYaml(whole);
      } catch (fault) {
        expect(fault).toBeInstanceOf(YamlFault);
      }
      expect(performance.now() - start, JSON.stringify(whole.slice(0, 20))).toBeLessThan(3000);
    }
  }
});
