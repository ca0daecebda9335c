import { expect, test } from 'vitest';
import { textsEdit } from './texts-edit.ts';

const edit = (before: readonly string[], after: readonly string[]) =>
  textsEdit(['tools'], before, after, before.length > 0);

test('one text more or less is an edit of that text alone', () => {
  expect(edit(['a', 'b'], ['a', 'b', 'c'])).toEqual({
    ...{ op: 'insert', path: ['tools', 2] },
    value: 'c',
  });
  expect(edit(['a', 'b', 'c'], ['a', 'c'])).toEqual({ op: 'remove', path: ['tools', 1] });
  expect(edit(['a', 'b'], ['a'])).toEqual({ op: 'remove', path: ['tools', 1] });
});

test('a first list, several changes and an empty list are written whole', () => {
  expect(edit([], ['a'])).toEqual({ op: 'set', path: ['tools'], value: ['a'] });
  expect(edit(['a', 'b'], ['b', 'c'])).toEqual({ op: 'set', path: ['tools'], value: ['b', 'c'] });
  expect(edit(['a'], [])).toEqual({ op: 'clear', path: ['tools'] });
});
