import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../kernel/json.ts';
import { PooledTexts, pooled, TextPool, unpooled } from './text-pool.ts';

const word = fc.oneof(
  fc.string(),
  fc.string().map((text) => `\u0001${text}`),
  fc.constantFrom('long '.repeat(20), 'longer '.repeat(40), `${'long '.repeat(20)}and more`),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
  ),
})).value;

test('what comes out of the store is what went in, marks and all', () => {
  fc.assert(
    fc.property(json, (value) => {
      const stored = JSON.parse(JSON.stringify(pooled(value)));
      expect(unpooled(stored)).toStrictEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('values stored one after another share their texts', () => {
  fc.assert(
    fc.property(fc.array(json, { maxLength: 6 }), (values) => {
      const pool = new TextPool();
      const rows = values.map((value) => {
        const encoded = pool.encode(value);
        return JSON.stringify({ texts: pool.take(), value: encoded });
      });
      const texts = new PooledTexts();
      const read = rows.map((row) => {
        const stored = JSON.parse(row);
        texts.add(stored.texts);
        return texts.decode(stored.value);
      });
      expect(read).toStrictEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});

test('a text that is said again, or goes on from one before, costs what is new', () => {
  const said = 'word '.repeat(200);
  const { texts, value } = pooled([said, { again: said }, `Answer: ${said}`, `${said}And so on.`]);
  expect(texts).toEqual([
    said,
    { of: 0, before: 'Answer: ', after: '' },
    { of: 0, before: '', after: 'And so on.' },
  ]);
  expect(JSON.stringify(value).length).toBeLessThan(60);
});

test('texts that differ in few characters stay apart, however many there are', () => {
  const texts = Array.from({ length: 200 }, (_, at) => {
    const filler = 'a'.repeat(1000);
    return `${filler.slice(0, 500 + at)}b${filler.slice(501 + at)}`;
  });
  const pool = new TextPool();
  const encoded = [...texts, ...texts].map((text) => pool.encode(text));
  const kept = new PooledTexts();
  kept.add(JSON.parse(JSON.stringify(pool.take())));
  expect(encoded.map((text) => kept.decode(text))).toEqual([...texts, ...texts]);
});

test('a text whose pool is gone is told, never made up', () => {
  expect(() => unpooled({ texts: [], value: '\u00010' })).toThrow(RangeError);
});
