import { expect, test } from 'vitest';
import { readableText } from './readable-text.ts';

test('JSON is indented, other text is left alone', () => {
  expect(readableText('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readableText('{not json')).toBe('{not json');
  expect(readableText('12')).toBe('12');
});
