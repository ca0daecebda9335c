import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { libraryTree } from '../../../test/support/yaml-oracle.ts';
import type { Json } from '../../kernel/json.ts';
import { emitYaml } from './emit-yaml.ts';
import { parseSpecText } from './parse-yaml.ts';
import type { SourceNode } from './source-map.ts';
import { parseWholeYaml, parseYamlTree } from './tree.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
const recorded: [string, Json][] = JSON.parse(
  readFileSync(join(FIXTURES, 'yaml/yaml-1.1.json'), 'utf8'),
);
const samples = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ya?ml$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(FIXTURES, file), 'utf8') }));

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
    expect(parseWholeYaml(text).problems.map(({ start }) => start)).toEqual([at]);
  });
});

/** The tree without the places of empty values, which two readers may see differently. */
function outline(node: SourceNode | undefined): unknown {
  if (node?.kind === 'list') return { flow: node.flow, list: node.items.map(outline) };
  if (node?.kind === 'map') {
    const entries = node.entries.map(({ key, keyStart, keyEnd, value }) => ({
      key,
      place: keyStart === keyEnd ? undefined : [keyStart, keyEnd],
      value: outline(value),
    }));
    return { flow: node.flow, entries, merged: node.merged.map(outline) };
  }
  if (node?.kind === 'alias') return { ...node, target: undefined };
  const empty = node === undefined || (node.value === null && node.start === node.end);
  return empty ? undefined : { ...node, end: node.style === 'literal' ? undefined : node.end };
}

/** Quotes over several lines: the library ends them by the indentation, as later versions of YAML do. */
function hasLongQuotes(node: SourceNode | undefined, text: string): boolean {
  if (node?.kind === 'list') return node.items.some((item) => hasLongQuotes(item, text));
  if (node?.kind === 'map') {
    const values = [...node.entries.map(({ value }) => value), ...node.merged];
    return values.some((value) => hasLongQuotes(value, text));
  }
  const quoted = node?.kind === 'scalar' && (node.style === 'single' || node.style === 'double');
  return quoted && text.slice(node.start, node.end).includes('\n');
}

/** A colon at the beginning of an entry in brackets, which is a sign in YAML 1.1 without a blank too. */
const COLON_IN_BRACKETS = /[[{,]\s*:/;

describe('a text is read as the library "yaml" reads it, where both read it', () => {
  /** True when both readers read a text; what they read is then the same. */
  function readAlike(text: string): boolean {
    const wanted = libraryTree(text);
    const { root, problems } = parseWholeYaml(text);
    if (wanted === 'refused' || problems.length > 0) return false;
    if (COLON_IN_BRACKETS.test(text) || hasLongQuotes(root, text)) return false;
    expect(outline(root), text).toEqual(outline(wanted));
    return true;
  }

  test('every sample, to the end of each part', () => {
    expect(samples.length).toBeGreaterThan(40);
    for (const { file, text } of samples) {
      const { root, problems } = parseWholeYaml(text);
      const wanted = libraryTree(text);
      if (problems.length > 0) expect(wanted, file).toBe('refused');
      else expect(root, file).toEqual(wanted);
    }
  });

  const signs = fc.constantFrom(
    ...['a', 'b: ', ' ', '  ', '\n', '\n  ', ':', ': ', '- ', '? ', '#', ' # ', '{', '}', '[', ']'],
    ...[
      ',',
      '"',
      "'",
      '\\',
      '&a ',
      '*a',
      '!!str ',
      '<<: ',
      '\t',
      '---',
      '...',
      '%',
      '\r\n',
      '1',
      '',
    ],
  );

  test('samples with some characters changed', () => {
    let alike = 0;
    const change = fc.tuple(fc.nat(), fc.nat(4), signs);
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        ({ text }, changes) => {
          let changed = text;
          for (const [at, cut, added] of changes) {
            const start = at % (changed.length + 1);
            changed = changed.slice(0, start) + added + changed.slice(start + cut);
          }
          if (readAlike(changed)) alike += 1;
        },
      ),
      { numRuns: 500 },
    );
    expect(alike).toBeGreaterThan(100);
  });

  test('random texts', () => {
    let alike = 0;
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 14 }), (parts) => {
        if (readAlike(parts.join(''))) alike += 1;
      }),
      { numRuns: 1500 },
    );
    expect(alike).toBeGreaterThan(200);
  });

  test('random data as the library writes it', () => {
    const styles = fc.record({
      indent: fc.integer({ min: 1, max: 4 }),
      indentSeq: fc.boolean(),
      collectionStyle: fc.constantFrom('any', 'block', 'flow'),
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL'),
      lineWidth: fc.constantFrom(0, 20, 80),
    });
    let alike = 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), styles, (data, style) => {
        if (readAlike(stringify({ data }, { version: '1.1', ...style } as never))) alike += 1;
      }),
      { numRuns: 500 },
    );
    expect(alike).toBeGreaterThan(300);
  });
});

/** Every place of a tree: what an editor asks about may not lie outside of the text. */
function demandPlaces(node: SourceNode, length: number): void {
  expect(node.start).toBeGreaterThanOrEqual(0);
  expect(node.end).toBeGreaterThanOrEqual(node.start);
  expect(node.end).toBeLessThanOrEqual(length);
  if (node.kind === 'list') for (const item of node.items) demandPlaces(item, length);
  if (node.kind === 'map') for (const { value } of node.entries) demandPlaces(value, length);
}

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

test('any text has a tree within its bounds or faults, and both ways of reading know which', () => {
  const signs = fc.constantFrom(
    ...['a', ' ', '  ', '\n', '\n  ', ':', ': ', '- ', '? ', '#', ' #', '{', '}', '[', ']', ','],
    ...['"', "'", '\\', '|', '>', '&a', '*a', '!!str ', '<<: ', '\t', '---', '...', '%', '\r\n'],
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      const whole = parseWholeYaml(text);
      const recovered = parseYamlTree(text);
      if (whole.problems.length === 0) expect(recovered).toEqual(whole);
      else expect(recovered.problems.length).toBeGreaterThan(0);
      if (recovered.root !== undefined) demandPlaces(recovered.root, text.length);
    }),
    { numRuns: 1500 },
  );
});

/** Faults of which each is met once more behind it. */
const BROKEN_LINES = [
  'a: [b\n',
  '- a: *x\n',
  '"\\q"\n',
  '- [{\n',
  'a: "b\n',
  'a:\n\tb\n',
  "- 'a\n  b: [\n",
];

test('many characters of one sign are read or refused in linear time', () => {
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
  for (const sign of [...signs, ...BROKEN_LINES]) {
    const text = sign.repeat(Math.ceil(30_000 / sign.length));
    for (const whole of [text, `a: ${text}`, `a: "${text}`, `a: [${text}`, `a: |\n ${text}`]) {
      for (const read of [parseWholeYaml, parseYamlTree]) {
        const start = performance.now();
        const { problems } = read(whole);
        expect(performance.now() - start, JSON.stringify(whole.slice(0, 20))).toBeLessThan(1500);
        expect(problems.length).toBeLessThanOrEqual(1001);
      }
    }
  }
});

/** A deep staircase of mappings, each with a fault behind its inside, so that each is read again. */
const STAIRS = Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
const BACK = Array.from({ length: 150 }, (_, depth) => `${' '.repeat(149 - depth)}b: "x" y\n`).join(
  '',
);

test('a text with faults everywhere is left where it would take too long, and says so', () => {
  const start = performance.now();
  const { problems } = parseYamlTree('a: [*x]\n'.repeat(20_000));
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)?.message).toContain('is not read');
  expect(parseYamlTree(`${STAIRS}${BACK}`.repeat(8)).problems.length).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(1500);
});
