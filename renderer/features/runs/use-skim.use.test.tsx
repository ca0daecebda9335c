// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSkim } from './use-skim.ts';

test('rows that pass too fast to be read are left out until the scrolling slows or rests', () => {
  const list = renderHook(({ first, scrolls }) => useSkim(first, scrolls), {
    initialProps: { first: 0, scrolls: false },
  });
  const at = (first: number, scrolls: boolean): boolean => {
    list.rerender({ first, scrolls });
    return list.result.current;
  };
  expect(at(2, true)).toBe(false);
  expect(at(5, true)).toBe(false);
  expect(at(60, true)).toBe(true);
  expect(at(60, true)).toBe(true);
  expect(at(65, true)).toBe(true);
  expect(at(67, true)).toBe(false);
  expect(at(900, true)).toBe(true);
  expect(at(900, false)).toBe(false);
  // A jump without scrolling, as to a place by its key, is drawn at once.
  expect(at(0, false)).toBe(false);
});
