import { expect, test } from 'vitest';
import { listBytes } from './list-bytes.ts';

const items = [{ id: 'ü' }, 2].map((value) => Buffer.from(JSON.stringify(value)));

test.each([
  ['{}', [], '{}', '{"items":[]}'],
  ['{"a":1}', items, '{}', '{"a":1,"items":[{"id":"ü"},2]}'],
  ['{}', items, '{"b":2}', '{"items":[{"id":"ü"},2],"b":2}'],
  ['{"a":1}', [], '{"b":2}', '{"a":1,"items":[],"b":2}'],
])('a list of bytes stands between the members of two objects: %s', (before, list, after, text) => {
  expect(Buffer.from(listBytes(before, 'items', list, after)).toString()).toBe(text);
});
