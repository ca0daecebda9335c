import { expect, test } from 'vitest';
import { isPermitted } from './permission-rules.ts';

const HOME = 'app://specwright';

test.each([
  ['loopback-network', 'app://specwright/', true],
  ['local-network-access', 'app://specwright', true],
  ['loopback-network', 'https://example.com/', false],
  ['loopback-network', 'app://specwright.example/', false],
  ['local-network', 'app://specwright/', false],
  ['notifications', 'app://specwright/', true],
  ['notifications', 'https://example.com/', false],
  ['geolocation', 'app://specwright/', false],
  ['clipboard-sanitized-write', 'app://specwright/', true],
  ['clipboard-sanitized-write', 'https://example.com/', false],
  ['clipboard-read', 'app://specwright/', false],
])('%s for %s: %s', (permission, origin, expected) => {
  expect(isPermitted(permission, origin, HOME)).toBe(expected);
});
