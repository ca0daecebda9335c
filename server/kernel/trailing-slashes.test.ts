import { expect, test } from 'vitest';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

test.each([
  ['http://host/base/', 'http://host/base'],
  ['/a//b///', '/a//b'],
  ['/', ''],
  ['', ''],
  ['/a', '/a'],
])('%j ends as %j', (text, expected) => expect(withoutTrailingSlashes(text)).toBe(expected));
