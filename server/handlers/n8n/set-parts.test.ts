import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPath, pathOf, removePath, setPath } from './field-path.ts';
import { NoJson, parseLoosely } from './loose-json.ts';
import { typedValue } from './typed-value.ts';

describe('names with dots and brackets lead into an item', () => {
  it('makes lists and objects on the way', () => {
    const target = {};
    setPath(target, pathOf('a.list[2].k'), 'v');
    setPath(target, pathOf('a["x.y"]'), 1);
    expect(target).toEqual({ a: { list: [null, null, { k: 'v' }], 'x.y': 1 } });
    removePath(target, pathOf('a.list'));
    expect(target).toEqual({ a: { 'x.y': 1 } });
  });

  it('reaches no prototype', () => {
    const target: Record<string, unknown> = {};
    setPath(target, pathOf('__proto__.polluted'), 1);
    setPath(target, pathOf('constructor.prototype.polluted'), 1);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(getPath({}, pathOf('constructor.name'))).toBeUndefined();
  });

  it('finds what it set, whatever the names', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (path) => {
        const target = {};
        setPath(target, path, 'v');
        expect(getPath(target, path)).toBe('v');
      }),
    );
  });
});

describe('JSON is read loosely', () => {
  it.each([
    ["{'a': 1, b: [true, null], }", { a: 1, b: [true, null] }],
    ['{"a": "two\nlines"}', { a: 'two\nlines' }],
    ['{"a": undefined}', { a: null }],
    ['[-1]', [-1]],
  ])('%j', (text, value) => {
    expect(parseLoosely(text)).toEqual(value);
  });

  it.each(['{ "a": "say "hi"" }', '{"a": }', 'x', '{a: f()}', '{} {}', '{[a]: 1}'])(
    'but not %j',
    (text) => {
      expect(() => parseLoosely(text)).toThrow(NoJson);
    },
  );
});

describe('a value is brought to the type of its field', () => {
  it.each([
    ['number', ' 8 ', 8],
    ['number', '', 0],
    ['number', true, 1],
    ['boolean', 'True', true],
    ['boolean', 0, false],
    ['string', { a: 1 }, '{"a":1}'],
    ['array', '[1]', [1]],
    ['object', "{a: 'b'}", { a: 'b' }],
    ['string', null, null],
  ] as const)('%s of %j', (type, value, expected) => {
    expect(typedValue('v', type, { kind: 'json', value }, 0, false)).toEqual(expected);
  });

  it('or the field tells what it wanted', () => {
    const told = (): unknown => typedValue('v', 'number', { kind: 'json', value: 'x' }, 3, false);
    expect(told).toThrow("'v' expects a number but we got 'x' [item 3]");
    expect(typedValue('v', 'number', { kind: 'json', value: 'x' }, 3, true)).toBe('x');
  });
});
