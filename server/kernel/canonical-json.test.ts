import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, compareCodePoints } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';

describe('canonicalJson (spec-v1 21)', () => {
  test('the vectors of the contract', () => {
    expect(sha256Hex(canonicalJson({}))).toBe(
      '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    );
    const value = { b: 1.0, a: ['é', null] };
    expect(canonicalJson(value)).toBe('{"a":["é",null],"b":1}');
    expect(canonicalJson(value, 'ascii')).toBe('{"a":["\\u00e9",null],"b":1}');
    expect(canonicalJson({ x: -0, y: 1e21 })).toBe('{"x":0,"y":1e+21}');
  });

  test('keys sort by code point, not by UTF-16 unit', () => {
    expect(canonicalJson({ '\u{1F600}': 1, '\uFFFD': 2 })).toBe('{"\uFFFD":2,"\u{1F600}":1}');
    expect(compareCodePoints('a', 'ab')).toBeLessThan(0);
  });

  test('texts are escaped as JSON.stringify does, short or long, as names and as values', () => {
    const odd = ['', '"', '\\', '\u0000', '\n', '\u007f', '\u2028', 'é', '\ud800', '__proto__'];
    for (const part of [...odd, ...odd.map((one) => one.padEnd(40, 'x'))]) {
      expect(canonicalJson(part)).toBe(JSON.stringify(part));
      expect(canonicalJson({ [part]: 1 })).toBe(`{${JSON.stringify(part)}:1}`);
    }
  });

  test('numbers that JSON lacks are refused', () => {
    expect(() => canonicalJson({ n: Number.NaN })).toThrow(TypeError);
    expect(() => canonicalJson([Number.POSITIVE_INFINITY])).toThrow(TypeError);
  });

  test('parses back equal, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(JSON.parse(canonicalJson(value, 'ascii')))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
