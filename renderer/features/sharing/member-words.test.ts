import { expect, test } from 'vitest';
import { limitLines, selectorKinds, selectorLabel } from './member-words.ts';

const open = (mode: 'none' | 'static' | 'oidc') =>
  selectorKinds(mode).flatMap(({ kind, shut }) => (shut === undefined ? [kind] : []));

test('a person is named as people sign in here; every other way says why it is shut', () => {
  expect(open('oidc')).toEqual(['verified_email', 'subject']);
  expect(open('static')).toEqual(['static_username']);
  expect(open('none')).toEqual([]);
  expect(selectorLabel('static_username')).toBe('User name');
  expect(selectorLabel('another')).toBe('another');
});

test('limits are told nearest first', () => {
  const lines = limitLines({
    taint_used: 5000,
    taint_cap: 10_000,
    principal_taint_used: 900,
    principal_taint_cap: 1000,
    retained_used: 1,
    retained_max: 100_000,
    nearest_cap: 'principal',
  });
  expect(lines.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'Imports of the same draft: 900 of 1,000',
    'Imports in use: 5,000 of 10,000',
    'Imports kept, old ones included: 1 of 100,000',
  ]);
});
