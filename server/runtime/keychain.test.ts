import { expect, test } from 'vitest';
import { createKeychain } from './keychain.ts';

test('a secret is asked for once in half a minute, also when there is none', () => {
  const asked: string[] = [];
  const stored: Record<string, string> = { A: 'one' };
  let now = 0;
  const read = createKeychain(
    () => now,
    (name) => {
      asked.push(name);
      return { getPassword: () => stored[name] ?? null };
    },
  );
  expect([read('A'), read('A'), read('B'), read('B')]).toEqual([
    'one',
    'one',
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(['A', 'B']);
  stored['B'] = 'two';
  now = 31_000;
  expect(read('B')).toBe('two');
});

test('without a keychain there are no secrets, and no failure', () => {
  const read = createKeychain(
    () => 0,
    () => {
      throw new Error('AccessDenied');
    },
  );
  expect(read('A')).toBeUndefined();
});

test("the machine's own keychain, if it has one, knows no name that nobody stored", () => {
  expect(createKeychain(Date.now)('SPECWRIGHT_TEST_NAME_THAT_NOBODY_STORED')).toBeUndefined();
});
