import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { mergeSpecs } from './merge-specs.ts';
import { rewriteText } from './rewrite-text.ts';

describe('lists', () => {
  test.each<[string, string, Json[], string]>([
    ['without one item in common is written anew', '[a, b] # kept', ['c'], '# kept\n  - c'],
    ['that holds nothing written', '[null, a]', [null, 'a', 'b'], '[null, a, b]'],
    ['of items that change places', '[a, b, c]', ['c', 'a', 'b'], '[c, a, b]'],
    ['of items that go and come', '[a, b, c]', ['b', 'x', 'a'], '[b, x, a]'],
    ['whose same words come again', '[a]', ['a', 'a'], '[a, a]'],
  ])('%s', (_, from, to, made) => {
    expect(rewriteText(`list: ${from}\n`, { list: to }, 'yaml')).toBe(`list: ${made}\n`);
  });

  test('become mappings, and mappings lists', () => {
    expect(rewriteText('a: [1]\nb: {c: 1}\n', { a: { c: 1 }, b: [1] }, 'yaml')).toBe(
      'a:\n  c: 1\nb:\n  - 1\n',
    );
  });
});

describe('places that are written elsewhere', () => {
  const MERGED = 'base: &base {old: 1}\nown:\n  <<: *base\n  # kept\n  mine: 2\n';

  test('an entry of a merged mapping gets its new name with its holder written anew', () => {
    const wanted: JsonObject = { base: { old: 1 }, own: { now: 1, mine: 2 } };
    const names = (_: unknown, key: string) => (key === 'old' ? 'now' : undefined);
    const text = rewriteText(MERGED, wanted, 'yaml', names);
    expect(text).toContain('base: &base {old: 1}\n');
    expect(text).toContain('now: 1');
    expect(text).not.toContain('<<');
  });

  test('a key that the whole text merges in cannot be taken out of it', () => {
    const text = 'base: &base {tool: 1}\n<<: *base\n';
    expect(rewriteText(text, { base: { tool: 1 } }, 'yaml')).toBeUndefined();
  });

  test('so a merge that would have to is made by lines', () => {
    const base = 'base: &base {tool: 1}\nversion: v1\n<<: *base\nname: a\n';
    const ours = base.replace('name: a', 'name: b');
    const theirs = 'base: {tool: 1}\nversion: v1\nname: c\n';
    const merge = mergeSpecs({ base, ours, theirs });
    expect(merge.by).toBe('lines');
    expect(merge.open).toBe(1);
    expect(merge.text).toContain('<<<<<<< mine\n');
  });
});

test('a text that cannot be read cannot be written anew', () => {
  expect(rewriteText('a: [', { a: 1 }, 'yaml')).toBeUndefined();
});
