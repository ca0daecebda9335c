import { expect, test } from 'vitest';
import { resolveAsset } from './resolve-asset.ts';

const files = new Set(['/app/index.html', '/app/assets/a.js']);
const resolve = (pathname: string) => resolveAsset('/app', pathname, (file) => files.has(file));

test.each([
  ['/', '/app/index.html'],
  ['/runs/42', '/app/index.html'],
  ['/assets/a.js', '/app/assets/a.js'],
  ['/assets/missing.js', undefined],
  ['/%2e%2e/%2e%2e/etc/passwd', '/app/index.html'],
  ['/../secret.txt', undefined],
  ['/..%5c..%5csecret.txt', undefined],
  ['/%zz', undefined],
  ['/a%00.js', undefined],
])('%s is %s', (pathname, expected) => {
  expect(resolve(pathname)).toBe(expected);
});
