import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { emitYaml } from './emit-yaml.ts';
import { parseSpecText } from './parse-yaml.ts';

const tricky = fc.constantFrom(
  ...[
    'on',
    'y',
    'N',
    '0',
    '1_000',
    '12:30',
    '2026-01-31',
    '2026-01-31 x',
    '1e3',
    '.inf',
    '~',
    '',
    ' a',
    'a ',
    'a: b',
  ],
  ...[
    'a #b',
    '- a',
    'a:',
    '<<',
    '=',
    '\t',
    'a\tb',
    'a\n',
    'a\nb',
    '\na',
    ' a\nb',
    'a \nb',
    'a\n\n',
    'a\n\nb\n',
    '---',
  ],
  ...[
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u00a0',
    'é',
    '😀',
    '\ud800',
    '"',
    "'",
    '\\',
    '#',
    '%',
    '...',
    'null',
    '0o17',
    '0x1f',
  ],
  ...[
    'a\r\nb',
    '[a]',
    '{a',
    '!x',
    '&a',
    '*a',
    '|',
    '>',
    '@',
    '`',
    '?',
    '? a',
    ':',
    ':a',
    '-a',
    '-',
    'a\n---\nb',
    '--- a',
  ],
  ...[
    '08',
    '1.',
    '.5',
    '+1',
    '1e',
    '190:20:30',
    'a\n b',
    '1__0',
    '0b1',
    '_',
    '0o8',
    '... x',
    '0.1e+3',
    'TRUE',
    'No',
  ],
);
const text = fc.oneof(tricky, fc.string(), fc.string({ unit: 'binary' }));
const well = text.map((value) => value.toWellFormed());
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    well,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(well, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('emitted YAML', () => {
  test('parses back to equal data under YAML 1.2, YAML 1.1 and the reader of specs', () => {
    fc.assert(
      fc.property(fc.dictionary(well, json, { maxKeys: 5 }), (value) => {
        const data = normal(value) as never;
        const out = emitYaml(data);
        const hint = JSON.stringify(out);
        expect(normal(parse(out, { version: '1.2' })), hint).toEqual(data);
        const old = parse(out, { version: '1.1', schema: 'yaml-1.1', intAsBigInt: false });
        expect(normal(old), hint).toEqual(data);
        const read = parseSpecText(out, 'yaml');
        if (JSON.stringify(data).match(/\d{16}/) === null) {
          expect(read.diagnostics, hint).toEqual([]);
          expect(read.value, hint).toEqual(data);
        }
      }),
      { numRuns: 600 },
    );
  });

  test('is written in the house form', () => {
    const value = {
      version: 'v1',
      agent: { name: 'a', system_prompt: 'One\nTwo\n', skills: [], defaults: {} },
      workflow: {
        steps: [
          { id: 'off', kind: 'agent' },
          { id: 'b', tags: ['x', ['y']] },
        ],
      },
      note: 'a: b',
      big: 1e21,
    };
    expect(emitYaml(value)).toBe(
      [
        'version: v1',
        'agent:',
        '  name: a',
        '  system_prompt: |',
        '    One',
        '    Two',
        '  skills: []',
        '  defaults: {}',
        'workflow:',
        '  steps:',
        '  - id: "off"',
        '    kind: agent',
        '  - id: b',
        '    tags:',
        '    - x',
        '    - - "y"',
        'note: "a: b"',
        'big: 1.0e+21',
        '',
      ].join('\n'),
    );
  });

  test('writes lists longer than the arguments of a call can be', () => {
    const nested = { deep: { edges: Array.from({ length: 200_000 }, (_, id) => ({ id })) } };
    const lines = emitYaml({ outer: [nested, ['last']] }).split('\n');
    expect(lines).toHaveLength(200_000 + 5);
    expect(lines.slice(0, 4)).toEqual(['outer:', '- deep:', '    edges:', '    - id: 0']);
    expect(lines.slice(-3)).toEqual(['    - id: 199999', '- - last', '']);
  });
});

test('a document may be any value; what JSON does not have is refused', () => {
  expect([emitYaml('a'), emitYaml(-0), emitYaml([]), emitYaml({}), emitYaml(null)]).toEqual([
    'a\n',
    '0\n',
    '[]\n',
    '{}\n',
    'null\n',
  ]);
  expect(() => emitYaml({ a: Number.NaN })).toThrow(TypeError);
  expect(() => emitYaml([Number.POSITIVE_INFINITY])).toThrow(TypeError);
});
