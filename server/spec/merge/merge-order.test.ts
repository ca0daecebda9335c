import { expect, test } from 'vitest';
import { mergeOrder, type Orders } from './merge-order.ts';

const COUNTS = { counts: true, groupOf: () => '' };
const FREE = { counts: false, groupOf: () => '' };
/** Keys of one group begin with the same letter. */
const GROUPS = { counts: true, groupOf: (key: string) => key.charAt(0) };

function orders(base: string, ours: string, theirs: string): Orders {
  const [first, mine, other] = [base, ours, theirs].map((keys) => keys.split(' '));
  return { base: first ?? [], ours: mine ?? [], theirs: other ?? [] };
}

function shown(
  given: Orders,
  rule: typeof GROUPS = COUNTS,
  prefer: 'ours' | 'theirs' = 'ours',
): string {
  const { keys, clash } = mergeOrder(given, rule, prefer);
  return `${keys.join(' ')}${clash ? ' !' : ''}`;
}

test.each([
  ['a b c', 'a b c', 'c a b', 'c a b'],
  ['a b c', 'c a b', 'a b c', 'c a b'],
  ['a b c', 'b c', 'c a b', 'c a b'],
  ['a b', 'b a', 'b a', 'b a'],
])('what one side moved is moved: %s → %s and %s', (base, ours, theirs, made) => {
  expect(shown(orders(base, ours, theirs))).toBe(made);
});

test('two orders of the same things are a clash, settled by who is preferred', () => {
  const given = orders('a b c', 'c a b', 'b c a');
  expect(shown(given)).toBe('c a b !');
  expect(shown(given, COUNTS, 'theirs')).toBe('b c a !');
});

test('where the order does not count, either merge comes to the same and nobody is asked', () => {
  expect(shown(orders('a b c', 'c a b', 'b c a'), FREE)).toBe('b c a');
  expect(shown(orders('a b c', 'b c a', 'c a b'), FREE)).toBe('b c a');
});

test('each group keeps its own order, so moves in two groups do not meet', () => {
  const given = orders('a1 a2 b1 b2', 'a2 a1 b1 b2', 'a1 a2 b2 b1');
  expect(shown(given, GROUPS)).toBe('a2 a1 b2 b1');
  expect(shown(given)).toBe('a2 a1 b1 b2 !');
  expect(shown(orders('a1 a2 b1', 'a2 b1 a1', 'a1 b1 a2'), GROUPS)).toBe('a2 b1 a1');
});

test('a group that both order alike stays so whatever the others do', () => {
  expect(shown(orders('a1 a2 b1 b2', 'a2 a1 b2 b1', 'a2 a1 b1 b2'), GROUPS)).toBe('a2 a1 b2 b1');
});
