import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../kernel/sha256.ts';
import { sha256 } from './sha256.ts';

test('texts and bytes have the hash that the kernel gives them, halves of pairs too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, bytes) => {
      expect(sha256(text)).toBe(sha256Hex(text));
      expect(sha256(bytes)).toBe(sha256Hex(bytes));
    }),
  );
  expect(sha256('a\ud800b')).toBe(sha256Hex('a\ud800b'));
});
