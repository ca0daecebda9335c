import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growthOf } from './grown-text.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'é', '🙂'), { maxLength: 6 });
const texts = words.map((parts) => parts.join(''));

test('growth is what stands around the earlier text', () => {
  fc.assert(
    fc.property(texts, texts, (text, old) => {
      const growth = growthOf(text, old);
      const grows = text.length > old.length && (text.startsWith(old) || text.endsWith(old));
      if (!grows) return growth === undefined;
      return growth !== undefined && `${growth.before}${old}${growth.after}` === text;
    }),
  );
});

test('the same text and a shorter one have not grown', () => {
  expect(growthOf('abc', 'abc')).toBeUndefined();
  expect(growthOf('bc', 'abc')).toBeUndefined();
});
