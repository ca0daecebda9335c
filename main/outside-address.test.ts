import { expect, test } from 'vitest';
import { outsideAddress } from './outside-address.ts';

test.each([
  ['https://docs.example/a?b=c#d', 'https://docs.example/a?b=c#d'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
  // Letters that look like others are shown as what they are.
  ['https://\u0435xample.com/', 'https://xn--xample-2of.com/'],
  ['https://bank.example@evil.example/', undefined],
  ['https://a:b@evil.example/', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['smb://host/share', undefined],
  ['specwright://run/1', undefined],
  ['/runs/1', undefined],
  ['', undefined],
])('%s', (given, opened) => {
  expect(outsideAddress(given)).toBe(opened);
});

test('an address that nobody can read to its end is not opened', () => {
  expect(outsideAddress(`https://x.example/${'a'.repeat(3000)}`)).toBe(undefined);
});
