import { expect, test } from 'vitest';
import { Ahead } from './ahead.ts';

test('a value is made once, ahead or when it is wanted; a failure is told when it is wanted', () => {
  let made = 0;
  const value = new Ahead(() => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  value.begin();
  value.begin();
  expect([value.value, value.value, made]).toEqual([1, 1, 1]);
  const failing = new Ahead(() => {
    made += 1;
    throw new RangeError('no');
  });
  expect(() => failing.begin()).not.toThrow();
  expect(() => failing.value).toThrow(RangeError);
  expect(() => failing.value).toThrow('no');
  expect(made).toBe(2);
  expect(new Ahead(() => undefined).value).toBeUndefined();
});
