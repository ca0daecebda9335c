import { describe, expect, test } from 'vitest';
import type { Json } from '../../kernel/json.ts';
import { isNonTextValue } from '../values/non-text.ts';
import { parseSpecText } from './parse-yaml.ts';

const read = (scalar: string): Json | undefined =>
  parseSpecText(`a: ${scalar}\n`, 'yaml').value?.['a'];

describe('plain scalars are those of YAML 1.1', () => {
  test.each([
    ['yes', true],
    ['No', false],
    ['ON', true],
    ['off', false],
    ['True', true],
    ['y', 'y'],
    ['n', 'n'],
    ['yEs', 'yEs'],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['', null],
    ['nULL', 'nULL'],
    ['1_000', 1000],
    ['0x1f', 31],
    ['0b101', 5],
    ['010', 8],
    ['0o10', '0o10'],
    ['08', '08'],
    ['-12', -12],
    ['+3', 3],
    ['12:30', 750],
    ['1:30:00', 5400],
    ['190:20:30', 685230],
    ['12:60', '12:60'],
    ['0', 0],
    ['-0', 0],
    ['1__0', 10],
    ['1.5', 1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', '1e3'],
    ['1.0e+3', 1000],
    ['1.0e3', '1.0e3'],
    ['1_0.2_5', 10.25],
    ['20:30.5', 1230.5],
    ['9007199254740992', 2 ** 53],
    ['-9007199254740992', -(2 ** 53)],
    ['"yes"', 'yes'],
    ["'12'", '12'],
    ['!!str yes', 'yes'],
    ['!!int "3"', 3],
    ['!!str 2026-01-01', '2026-01-01'],
    ['2026-01-31', '2026-01-31'],
    ['2026-1-2', '2026-1-2'],
    ['2026-01-31 1:02:03', '2026-01-31T01:02:03'],
    ['2026-01-31T01:02:03Z', '2026-01-31T01:02:03+00:00'],
    ['2026-01-31 01:02:03.5 +2', '2026-01-31T01:02:03.500000+02:00'],
    ['v1.2.3', 'v1.2.3'],
    ['a#b', 'a#b'],
    ['<<', '<<'],
  ] as [string, Json][])('%s is %j', (text, want) => {
    expect(read(text)).toEqual(want);
  });

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '1.0e+999',
    '.inf',
    '-.INF',
    '.nan',
    '2026-02-30',
    '!custom x',
    '!!binary aGk=',
    '!!python/object:x {}',
    '!!int x',
    '*nope',
    '0x',
  ])('%s is refused or text', (text) => {
    const { value, diagnostics } = parseSpecText(`a: ${text}\n`, 'yaml');
    if (text === '0x') expect(value).toEqual({ a: '0x' });
    else {
      expect(value).toBeUndefined();
      expect(diagnostics).toHaveLength(1);
      expect(diagnostics[0]).toMatchObject({ code: 'E_PARSE', severity: 'error', path: null });
      expect(diagnostics[0]?.message).toMatch(/^Line 1, column \d+: /);
    }
  });

  test('dates carry a mark, timestamps too, text does not', () => {
    const { value } = parseSpecText(
      'a: 2026-01-31\nb: "2026-01-31"\nc: [2026-01-31T00:00:00Z]\n',
      'yaml',
    );
    expect(isNonTextValue(value!, 'a')).toBe(true);
    expect(isNonTextValue(value!, 'b')).toBe(false);
    expect(isNonTextValue(value!['c'] as Json[], 0)).toBe(true);
  });
});

describe('documents', () => {
  test('anchors, merge keys and the order that they give', () => {
    const text =
      'base: &b {x: 1, y: 2}\nuse:\n  z: 3\n  <<: *b\n  y: 5\nmany: {<<: [{x: 9}, *b]}\nagain: *b\n';
    const { value } = parseSpecText(text, 'yaml');
    expect(value).toEqual({
      base: { x: 1, y: 2 },
      use: { x: 1, y: 5, z: 3 },
      many: { x: 9, y: 2 },
      again: { x: 1, y: 2 },
    });
    (value!['again'] as Record<string, Json>)['x'] = 7;
    expect(value!['base']).toEqual({ x: 1, y: 2 });
  });

  test('of equal keys the last one wins', () => {
    expect(parseSpecText('a: 1\nb: 2\na: 3\n', 'yaml').value).toEqual({ a: 3, b: 2 });
    expect(parseSpecText('{"a": 1, "a": 2}', 'json').value).toEqual({ a: 2 });
  });

  test.each([
    '',
    '# only a comment\n',
    '- a\n',
    'text\n',
    '12',
    'null',
    '--- a\n--- b\n',
    'a: [1\n',
    '\tb: 1\n',
    'a: "x',
  ])('%j is no document', (text) => {
    const { value, diagnostics } = parseSpecText(text, 'yaml');
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['E_PARSE']);
  });

  test.each([
    '',
    '[]',
    '{"a": 1,}',
    '{"a": NaN}',
    "{'a': 1}",
    '{"a": 01}',
    '{"a": 1} x',
    '{"a": "\n"}',
    '{"a": 1e999}',
    '{"a": 12345678901234567890}',
    '{"a"',
    '"',
  ])('%j is no JSON document', (text) => {
    const { value, diagnostics } = parseSpecText(text, 'json');
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['E_PARSE']);
  });

  test('JSON is read as the language reads it', () => {
    const value = {
      a: [1, -2.5, 1e21, true, null, 'é\n"\\/\u2028'],
      __proto: {},
      nested: { x: {} },
    };
    expect(parseSpecText(JSON.stringify(value, null, 2), 'json').value).toEqual(value);
    expect(parseSpecText(' {"\\u0061\\n": "\\ud83d\\ude00"} ', 'json').value).toEqual({
      'a\n': '😀',
    });
  });

  test('every fault of a text is listed with its place', () => {
    const { problems, source } = parseSpecText('a: *x\nb: !t 1\nc: 1.0e+999\n', 'yaml');
    expect(problems.map(({ start }) => source.positionOf(start).line)).toEqual([1, 2, 3]);
  });
});

describe('the source map', () => {
  const text =
    'version: v1\nagent:\n  name: "root"\n  skills: [a, b]\ncomponents:\n  agents:\n    a.b:\n      name: x\n    a: {name: y}\n';
  const { source } = parseSpecText(text, 'yaml');
  const cut = (path: string) => {
    const spot = source.find(path);
    return (
      spot && [
        spot.key && text.slice(spot.key.start.offset, spot.key.end.offset),
        text.slice(spot.value.start.offset, spot.value.end.offset),
      ]
    );
  };

  test('places have the range of key and value', () => {
    expect(cut('agent.name')).toEqual(['name', '"root"']);
    expect(cut('agent.skills[1]')).toEqual([undefined, 'b']);
    expect(source.find('agent.name')?.value.start).toEqual({ line: 3, column: 9, offset: 27 });
  });

  test('names with dots are found', () => {
    expect(cut('components.agents.a.b.name')).toEqual(['name', 'x']);
    expect(cut('components.agents.a.name')).toEqual(['name', 'y']);
  });

  test('a missing place has its nearest ancestor', () => {
    expect(source.find('agent.model.name')).toBeUndefined();
    expect(source.nearest('agent.model.name')?.path).toEqual(['agent']);
    expect(source.nearest('nothing')?.path).toEqual([]);
  });

  test('an offset leads to the innermost place', () => {
    expect(source.pathAt(text.indexOf('root'))).toEqual(['agent', 'name']);
    expect(source.pathAt(text.indexOf('b]'))).toEqual(['agent', 'skills', 1]);
    expect(source.pathAt(text.indexOf('components'))).toEqual(['components']);
  });
});

test('a flow collection may end at the column of its key, and a last block text has the breaks that it has', () => {
  expect(parseSpecText('agent: {\n  name: x,\n  skills: [\n    a\n  ]\n}\n', 'yaml').value).toEqual(
    {
      agent: { name: 'x', skills: ['a'] },
    },
  );
  expect(parseSpecText('a: |\n  text', 'yaml').value).toEqual({ a: 'text' });
  expect(parseSpecText('a: |\n  text\n', 'yaml').value).toEqual({ a: 'text\n' });
});

test('a place is found by its written form, or its nearest ancestor', () => {
  const text = 'a.b: {c: [x, y]}\na: {b: z, "b[0]": w}\n? [1]\n: 2\n';
  const { source } = parseSpecText(text.slice(0, text.indexOf('?')), 'yaml');
  const textOf = (path: string | (string | number)[]): string | undefined => {
    const spot = source.nearest(path);
    return spot && source.text.slice(spot.value.start.offset, spot.value.end.offset);
  };
  expect(textOf('a.b.c[1]')).toBe('y');
  expect(textOf('a.b')).toBe('{c: [x, y]}');
  expect(textOf(['a', 'b'])).toBe('z');
  expect(textOf('a.b[0]')).toBe('w');
  expect(textOf('a.b.c[7]')).toBe('[x, y]');
  expect(textOf('a.b.c.d')).toBe('[x, y]');
  expect(textOf(['a.b', 'c', 'd'])).toBe('[x, y]');
  expect(textOf(['a.b', 'z', 'd'])).toBe('{c: [x, y]}');
  expect(textOf(['a', 'b', 'deeper'])).toBe('z');
  expect(source.find('a.b.c[7]')).toBeUndefined();
  expect(source.find(['nothing'])).toBeUndefined();
  expect(source.positionOf(-5)).toEqual({ line: 1, column: 1, offset: 0 });
  const empty = parseSpecText('', 'yaml').source;
  expect([empty.find(''), empty.nearest('a'), empty.pathAt(3)]).toEqual([undefined, undefined, []]);
});

test('JSON with a byte order mark is read, with another sign it is refused', () => {
  expect(parseSpecText('\uFEFF{"a": [1, -2.5e1, true, null]}', 'json').value).toEqual({
    a: [1, -25, true, null],
  });
  for (const text of [
    '{"a": NaN}',
    '{"a": "\\x"}',
    '{"a" 1}',
    '{"a": 1,}',
    '[1',
    '{"a": 1e999}',
    '{a: 1}',
    '"',
    '{"a": 9007199254740993}',
  ]) {
    expect(
      parseSpecText(text, 'json').diagnostics.map(({ code }) => code),
      text,
    ).toEqual(['E_PARSE']);
  }
});

test('a broken text is read as far as it goes: anchors, aliases, merges, tags and block texts', () => {
  const text = [
    'base: &b {x: 1, *b : 2}',
    'key: &k name',
    '*k : {<<: *b, y: !!str 2}',
    '<<: [*b, {z: 3}]',
    'bad: {<<: 5, ? : 2}',
    'worse: {? [q] : 1}',
    'odd: !!nothing [1]',
    'text: |',
    '  line',
    'folded: >+',
    '  a',
    '',
    'far: *nowhere',
    'self: &s [*s]',
    'open: [1, 2',
  ].join('\n');
  const { value, problems, source } = parseSpecText(text, 'yaml');
  expect(value).toBeUndefined();
  const said = problems.map(({ message }) => message).join('\n');
  for (const part of [
    'merge key',
    'single value',
    'nothing is not supported',
    '*nowhere',
    'inside its own anchor',
  ]) {
    expect(said).toContain(part);
  }
  expect(said).not.toContain('*b has no anchor');
  expect(source.find('text')?.node).toMatchObject({ value: 'line\n', style: 'literal' });
  expect(source.find('folded')?.node).toMatchObject({ value: 'a\n\n' });
  expect(source.find('name.y')?.node).toMatchObject({ value: '2', type: 'text' });
  expect(source.find('z')?.node).toMatchObject({ value: 3 });
});

test.each<[string, Json]>([
  ['2026-01-31T10:00:00+05:30', '2026-01-31T10:00:00+05:30'],
  ['2026-1-3 4:05:06.1234567 -3', '2026-01-03T04:05:06.123456-03:00'],
  ['-1:30', -90],
  ['1:30.5', 90.5],
])('spec-v1 1: %s is %j', (written, wanted) => {
  expect(parseSpecText(`a: ${written}\n`, 'yaml').value).toEqual({ a: wanted });
});

test.each(['a: 0x_\n', 'a: 2026-02-30\n', ': x\n- y\n', '%bad\n', '{? , : [}\n'])(
  'spec-v1 1: %j is refused with one finding',
  (text) => {
    const { diagnostics } = parseSpecText(text, 'yaml');
    expect(diagnostics.map(({ code }) => code)).toEqual(['E_PARSE']);
  },
);
