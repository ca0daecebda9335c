// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useEdited } from './use-edited.ts';

interface Setting {
  readonly value: string;
  readonly version: number;
}

function edited(first: Setting) {
  return renderHook(
    (stored: Setting) => useEdited(stored, (left: string, right: string) => left === right),
    { initialProps: first },
  );
}

test('another stored version takes the place of what nobody changed', () => {
  const { result, rerender } = edited({ value: 'a', version: 1 });
  rerender({ value: 'b', version: 2 });
  expect(result.current).toMatchObject({ draft: 'b', isChanged: false, isOvertaken: false });
});

test('what was filled in is kept until its owner has chosen', () => {
  const { result, rerender } = edited({ value: 'a', version: 1 });
  act(() => result.current.setDraft('mine'));
  rerender({ value: 'a', version: 1 });
  expect(result.current).toMatchObject({ draft: 'mine', isChanged: true, isOvertaken: false });
  rerender({ value: 'theirs', version: 2 });
  expect(result.current).toMatchObject({ draft: 'mine', isOvertaken: true });
  expect(result.current.base).toEqual({ value: 'a', version: 1 });
  act(() => result.current.keepDraft());
  expect(result.current).toMatchObject({ draft: 'mine', isChanged: true, isOvertaken: false });
  expect(result.current.base).toEqual({ value: 'theirs', version: 2 });
  rerender({ value: 'other', version: 3 });
  act(() => result.current.takeStored());
  expect(result.current).toMatchObject({ draft: 'other', isChanged: false, isOvertaken: false });
});

test('the own write that comes back is no other version', () => {
  const { result, rerender } = edited({ value: 'a', version: 1 });
  act(() => result.current.setDraft('mine'));
  rerender({ value: 'mine', version: 2 });
  expect(result.current).toMatchObject({ draft: 'mine', isChanged: false, isOvertaken: false });
  expect(result.current.base.version).toBe(2);
});
