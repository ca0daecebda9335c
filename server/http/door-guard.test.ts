import { describe, expect, test } from 'vitest';
import { type Door, findForeign, isLoopbackHost, knownNames } from './door-guard.ts';

function ask(door: Partial<Door>, headers: Record<string, string>, method = 'GET') {
  const rawHeaders = Object.entries(headers).flat();
  const rules: Door = {
    knows: knownNames('127.0.0.1', []),
    origins: [],
    refererFor: 'changes',
    ...door,
  };
  return findForeign({ headers, rawHeaders, method }, rules);
}

describe('names', () => {
  test.each([
    ['127.0.0.1', 'evil.example', 'host'],
    ['127.0.0.1', '10.0.0.5', 'host'],
    ['127.0.0.2', '127.0.0.2:8', undefined],
    ['127.0.0.1', '127.0.0.2', 'host'],
    ['10.0.0.5', '10.0.0.5:8000', undefined],
    ['10.0.0.5', '10.0.0.6:8000', 'host'],
    ['0.0.0.0', '10.0.0.6:8000', undefined],
    ['0.0.0.0', '[fd00::1]:8000', undefined],
    ['0.0.0.0', '0.0.0.0:8000', undefined],
    ['127.0.0.1', '0.0.0.0:8000', 'host'],
    ['0.0.0.0', '2130706433', 'host'],
    ['0.0.0.0', 'evil.example', 'host'],
    ['::', '10.0.0.6', undefined],
    ['fd00::1', '[FD00::1]:1', undefined],
    ['desk.lan', 'desk.lan:1', undefined],
    ['desk.lan', 'evil.lan:1', 'host'],
  ] as const)('bound to %s, asked for %s: %s', (bound, host, found) => {
    expect(ask({ knows: knownNames(bound, []) }, { host })).toBe(found);
  });

  test('a listed name counts with any port, in any case', () => {
    const knows = knownNames('0.0.0.0', ['Desk.Example:8443', 'other']);
    expect(ask({ knows }, { host: 'desk.example' })).toBeUndefined();
    expect(ask({ knows }, { host: 'OTHER:1' })).toBeUndefined();
    expect(ask({ knows }, { host: 'desk.example.evil' })).toBe('host');
  });
});

describe('origins', () => {
  const host = 'localhost:8000';

  test('Referer stands in for Origin where the door says so', () => {
    const referer = 'http://evil.example/page';
    expect(ask({}, { host, referer })).toBeUndefined();
    expect(ask({}, { host, referer }, 'POST')).toBe('origin');
    expect(ask({ refererFor: 'every request' }, { host, referer })).toBe('origin');
    expect(ask({}, { host, referer: 'nonsense' }, 'POST')).toBe('origin');
  });

  test('the scheme of the same address does not matter, its own port is no difference', () => {
    expect(ask({}, { host, origin: 'https://localhost:8000' })).toBeUndefined();
    expect(ask({}, { host: 'localhost:80', origin: 'http://localhost' })).toBeUndefined();
    expect(ask({}, { host: 'localhost:443', origin: 'https://localhost' })).toBeUndefined();
    expect(ask({}, { host: 'localhost:443', origin: 'http://localhost' })).toBe('origin');
    expect(ask({}, { host, origin: 'app://localhost:8000' })).toBe('origin');
    expect(ask({}, { host, origin: '' })).toBe('origin');
  });

  test('listed origins may ask, and no other', () => {
    const origins = ['https://ui.example'];
    expect(ask({ origins }, { host, origin: 'https://ui.example' }, 'POST')).toBeUndefined();
    expect(ask({ origins }, { host, origin: 'https://ui.example.evil' }, 'POST')).toBe('origin');
    expect(ask({ origins: ['*'] }, { host, origin: 'https://any' }, 'POST')).toBeUndefined();
  });

  test('what a foreign page embeds is refused, a link on it may be followed', () => {
    const site = { host, 'sec-fetch-site': 'same-site' };
    expect(ask({}, { ...site, 'sec-fetch-mode': 'no-cors' })).toBe('origin');
    expect(ask({}, { ...site, 'sec-fetch-mode': 'navigate' })).toBeUndefined();
  });
});

test('addresses that only this machine reaches', () => {
  const loopback = ['127.0.0.1', '127.8.9.1', 'localhost', 'LOCALHOST', '::1', '[::1]'];
  expect(loopback.filter((host) => !isLoopbackHost(host))).toEqual([]);
  const others = ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', '127.0.0.1.evil', '127.1', ''];
  expect(others.filter(isLoopbackHost)).toEqual([]);
});
