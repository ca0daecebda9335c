import { expect, test } from 'vitest';
import { readSchemas } from './stored-schemas.ts';

test('the last noted version says what the stores are like', () => {
  const versions = [
    { version: '0.1.0', schemas: { platform: 3 } },
    { version: '0.2.0', schemas: { platform: 5, studio: 2, odd: 'x' } },
  ];
  expect(readSchemas(JSON.stringify({ versions }))).toEqual({ platform: 5, studio: 2 });
});

test.each(['', '{', 'null', '{"versions":{}}', '{"versions":[]}', '{"versions":[{"schemas":1}]}'])(
  'nothing is known of %s',
  (text) => {
    expect(readSchemas(text)).toBeNull();
  },
);
