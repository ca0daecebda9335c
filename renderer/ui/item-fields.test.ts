import { expect, test } from 'vitest';
import { fieldWidth } from './item-fields.ts';

test('a column is as wide as its name or its longest value, within bounds', () => {
  const width = (value: unknown, name = 'n') =>
    fieldWidth(name, [{ [name]: 1 }, { [name]: value }]);
  expect(width(7)).toBe(80);
  expect(width('Where is it?')).toBe(120);
  expect(width(7, 'how_many_there_are')).toBe(168);
  expect(width('long '.repeat(100))).toBe(260);
});
