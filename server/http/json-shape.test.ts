import { describe, expect, test } from 'vitest';
import { shapeExcess } from './json-shape.ts';

const LIMITS = { depth: 3, values: 6, names: 4 };
const excess = (json: string) => shapeExcess(Buffer.from(json), LIMITS);

function names(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0])));
}

describe('what a JSON text holds is counted before it is read', () => {
  test.each([
    ['[[[0]]]', undefined],
    ['[[[[0]]]]', 'depth'],
    ['[{"a":[{}]}]', 'depth'],
    ['[0,0,0,0,0,0]', undefined],
    ['[0,0,0,0,0,0,0]', 'values'],
    ['[[],{},[],{},[],{}]', undefined],
    ['[[0],[0],[0],[0]]', 'values'],
    [names(4), undefined],
    [names(5), 'names'],
    ['[{"a":0},{"b":0},{"c":0},{"d":0,"e":0}]', 'values'],
    ['{"a":0,"a":0,"a":0,"a":0,"a":0,"a":0}', undefined],
    ['{"[[[[[[[[[[[[[[":",,,,,,,,,,,,,,,,:::::::::::"}', undefined],
    ['{"a\\"[[[[[,,,,,,,,,,":"\\\\"}', undefined],
    ['"a text that does not end [[[[[[[,,,,,,', undefined],
  ])('%s', (json, found) => {
    expect(excess(json)).toBe(found);
  });

  test('names are told apart by their beginning and their length', () => {
    const long = (end: string) => `"${'k'.repeat(300)}${end}":0`;
    const json = (ends: string[]) => `{${ends.map(long).join(',')}}`;
    expect(excess(json(['', 'a', 'aa', 'aaa', 'aaaa']))).toBe('names');
    expect(excess(json(['a', 'b', 'c', 'd', 'e']))).toBeUndefined();
  });
});
