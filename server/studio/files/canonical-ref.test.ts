import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalRef, isGenerated } from './canonical-ref.ts';

test.each([
  ['a.yaml', 'a.yaml'],
  ['a//b/./c.yaml', 'a/b/c.yaml'],
  ['dir/', 'dir'],
  ['cafe\u0301.yaml', 'caf\u00e9.yaml'],
  ['...', '...'],
  ['.hidden/x', '.hidden/x'],
  ['x'.repeat(512), 'x'.repeat(512)],
])('%j names %j', (input, ref) => expect(canonicalRef(input)).toBe(ref));

test.each([
  '',
  '.',
  './',
  '..',
  'a/../b',
  '../x',
  '/etc/passwd',
  'a\\b',
  'c:x',
  './c:x',
  'a\u0000b',
  'a\nb',
  'a\u007f',
  'NUL',
  'con.yaml',
  'a/Lpt1.txt/b',
  'x'.repeat(513),
  '\ud800',
])('%j names nothing', (input) => expect(canonicalRef(input)).toBeUndefined());

test('streams, trailing dots and blanks are refused where the system gives them a meaning', () => {
  expect(canonicalRef('ab:c', 'win32')).toBeUndefined();
  expect(canonicalRef('a./b', 'win32')).toBeUndefined();
  expect(canonicalRef('ab:c', 'linux')).toBe('ab:c');
});

test('a canonical ref stays inside the tree and is its own canonical form', () => {
  const segment = fc.oneof(
    fc.constantFrom('.', '..', '', 'a', ' ', '~'),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const ref = canonicalRef(segments.join('/'));
      if (ref === undefined) return;
      expect(canonicalRef(ref)).toBe(ref);
      expect(ref.startsWith('/')).toBe(false);
      expect(ref.split('/').every((part) => part !== '' && part !== '.' && part !== '..')).toBe(
        true,
      );
    }),
  );
});

test('both generated namespaces are known', () => {
  expect(isGenerated('.studio/drafts/a.yaml')).toBe(true);
  expect(isGenerated('.kneo-studio/drafts/a.yaml')).toBe(true);
  expect(isGenerated('.studio/drafts')).toBe(false);
  expect(isGenerated('a/.studio/drafts/a.yaml')).toBe(false);
});
