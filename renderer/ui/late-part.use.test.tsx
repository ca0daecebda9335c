// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { LatePart, useLatePart } from './late-part.ts';

test('a part that was begun is there at once, and read once for all who draw it', async () => {
  const read = vi.fn(async () => ({ name: 'bars' }));
  const late = new LatePart(read);
  const early = renderHook(() => useLatePart(late));
  expect(early.result.current).toBeUndefined();
  await waitFor(() => expect(early.result.current).toEqual({ name: 'bars' }));
  const later = renderHook(() => useLatePart(late));
  expect(later.result.current).toBe(early.result.current);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a part that cannot be read is told, and read again by the next', async () => {
  const read = vi.fn(async () => ({ name: 'bars' }));
  read.mockRejectedValueOnce(new Error('the window was updated'));
  const late = new LatePart(read);
  await expect(late.begin()).rejects.toThrow('the window was updated');
  await late.begin();
  expect(late.part).toEqual({ name: 'bars' });
});
