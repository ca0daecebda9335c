import { expect, test } from 'vitest';
import { z } from 'zod';
import { openObject } from './platform/fields.ts';
import { toldReader } from './told.ts';

const ANSWER = z.object({
  id: z.string(),
  status: z.enum(['old', 'known']),
  count: z.int().nullable(),
  share: z.number(),
  done: z.boolean().optional(),
  facts: openObject,
  tags: z.array(z.string()),
  parts: z.array(z.object({ name: z.string().nullable() })),
  byName: z.record(z.string(), z.object({ on: z.boolean() })),
  anything: z.unknown(),
});
const GOOD = {
  id: 'a',
  status: 'known',
  count: 3,
  share: 0.5,
  done: false,
  facts: { deep: [1, { x: null }] },
  tags: ['t'],
  parts: [{ name: null }],
  byName: { one: { on: true } },
  anything: 7,
};

test('what is of the agreed types is read as it came', () => {
  const body = structuredClone(GOOD);
  expect(toldReader(ANSWER)(body)).toEqual(GOOD);
  expect(body).toEqual(GOOD);
});

test('absent fields, null, new words and further fields are no fault (dashboard.md 9)', () => {
  const throwing = toldReader(ANSWER, (name) => {
    throw new Error(name);
  });
  for (const read of [toldReader(ANSWER), throwing]) {
    expect(read({})).toEqual({});
    const odd = { status: 'newer', count: null, tags: null, byName: { x: null }, more: [1] };
    expect(read(odd)).toEqual(odd);
  }
});

test.for<[field: keyof typeof GOOD, given: unknown, read: unknown, agreed: string]>([
  ['id', 7, undefined, 'text'],
  ['status', true, undefined, 'text'],
  ['count', 1.5, undefined, 'integer'],
  ['count', '3', undefined, 'integer'],
  ['share', '0.5', undefined, 'number'],
  ['done', 'true', undefined, 'boolean'],
  ['facts', [1], undefined, 'object'],
  ['tags', 'a,b', undefined, 'list'],
  ['tags', ['a', 1, null], ['a'], 'text'],
  ['parts', [{ name: 'p' }, 'q'], [{ name: 'p' }], 'object'],
  ['parts', [{ name: 1 }], [{ name: undefined }], 'text'],
  ['byName', { a: 1, b: { on: true } }, { b: { on: true } }, 'object'],
])('%s = %o is absent, or a fault where each type counts (studio.md 23)', (row) => {
  const [field, given, read, agreed] = row;
  expect(toldReader(ANSWER)({ ...GOOD, [field]: given })[field]).toEqual(read);
  const strict = toldReader(ANSWER, (_name, type) => {
    throw new TypeError(type);
  });
  expect(() => strict({ ...GOOD, [field]: given })).toThrow(agreed);
});

test('a key that is a name of the language is a key like any other', () => {
  const body: object = JSON.parse('{"byName":{"__proto__":{"on":true}},"__proto__":{"id":"x"}}');
  const read = toldReader(ANSWER)(body);
  expect(read.id).toBeUndefined();
  expect(Object.keys(read.byName ?? {})).toEqual(['__proto__']);
});
