import { expect, test } from 'vitest';
import { goneText } from './gone-task-model.ts';

test('a task that is gone says what became of it, as far as its run tells', () => {
  expect(goneText('completed')).toMatch(/Somebody decided it/);
  expect(goneText('cancelled')).toMatch(/stopped/);
  expect(goneText('expired')).toMatch(/deadline passed without an answer/);
  expect(goneText('blocked')).toMatch(/something else/);
  expect(goneText(undefined)).toMatch(/decided, its deadline has passed, or its run has ended/);
});
