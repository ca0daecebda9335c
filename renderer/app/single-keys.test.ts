import { expect, test } from 'vitest';
import {
  SINGLE_KEYS,
  singleKeyHolders,
  singleKeyOf,
  singleKeyOfStroke,
  withSingleKey,
} from './single-keys.ts';

const stroke = (key: string, held: object = {}) => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
});

test('no two single keys of one place are the same', () => {
  for (const { id, usual } of SINGLE_KEYS) expect(singleKeyHolders(usual, id, {})).toEqual([]);
});

test('a key that something else has in the same place is taken from it, and the usual one is no change', () => {
  const changed = withSingleKey('tasks.approve', 'r', {});
  expect(changed).toEqual({ 'tasks.approve': 'r', 'tasks.reject': null });
  expect(singleKeyOf('tasks.reject', changed)).toBeNull();
  // The same key does something else in another place, and one that acts anywhere meets them all.
  expect(singleKeyOf('gaps.retract', changed)).toBe('r');
  expect(singleKeyHolders('r', 'search.go', changed).map(({ id }) => id)).toEqual([
    'tasks.approve',
    'gaps.retract',
  ]);
  const back = withSingleKey('tasks.approve', 'a', changed);
  expect(back).toEqual({ 'tasks.reject': null });
  expect(withSingleKey('tasks.reject', 'r', back)).toEqual({});
});

test('letters, digits and signs by themselves are single keys', () => {
  expect(singleKeyOfStroke(stroke('j'))).toBe('j');
  expect(singleKeyOfStroke(stroke('J'))).toBe('j');
  expect(singleKeyOfStroke(stroke('?', { shiftKey: true }))).toBe('?');
  expect(singleKeyOfStroke(stroke('ж'))).toBe('ж');
  for (const other of [
    stroke('J', { shiftKey: true }),
    stroke('j', { ctrlKey: true }),
    stroke(' '),
    stroke('Enter'),
    stroke('F5'),
  ])
    expect(singleKeyOfStroke(other)).toBeUndefined();
});
