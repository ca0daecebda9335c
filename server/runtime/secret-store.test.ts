import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KeychainDoor, openKeptEntry, systemKeychainDoor } from './keychain.ts';
import { createSecretStore } from './secret-store.ts';
import { openSecrets } from './secrets.ts';
import { createStoredSecrets, STORED_SECRETS } from './stored-secrets.ts';

const VALUE = 'sk-live-7d1f2b9c4e';
const clock = { now: () => Date.UTC(2026, 10, 21) };

const nobody: KeychainDoor = {
  getPassword: () => Promise.reject(new Error('no keychain')),
  setPassword: () => Promise.reject(new Error('no keychain')),
  deletePassword: () => Promise.reject(new Error('no keychain')),
};

function keychainOf(entries: Map<string, string>): KeychainDoor {
  return {
    getPassword: async (name) => entries.get(name) ?? null,
    setPassword: async (name, value) => void entries.set(name, value),
    deletePassword: async (name) => void entries.delete(name),
  };
}

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-secrets-'));
  file = path.join(folder, 'secrets', 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function everyByte(): string {
  return readdirSync(path.join(folder, 'secrets'))
    .map((name) => readFileSync(path.join(folder, 'secrets', name), 'latin1'))
    .join('\n');
}

test('without a keychain a secret stands in an encrypted file, never in plain text (decisions 25)', async () => {
  const store = createSecretStore(file, clock, nobody);
  expect(await store.keeper()).toBe('file');
  expect(await store.put('OPENAI_API_KEY', VALUE)).toEqual({
    name: 'OPENAI_API_KEY',
    kept_in: 'file',
    stored_at: '2026-11-21T00:00:00.000000+00:00',
  });
  expect(everyByte()).not.toContain(VALUE);
  for (const name of readdirSync(path.join(folder, 'secrets'))) {
    expect(statSync(path.join(folder, 'secrets', name)).mode & 0o077).toBe(0);
  }
  expect(JSON.stringify(store.list())).not.toContain(VALUE);
  const env = { [STORED_SECRETS]: file, OPENAI_API_KEY: 'from-env' };
  expect(openSecrets(env, false).providerKey('openai')).toEqual({ kind: 'found', value: VALUE });
});

test('with a keychain the file holds names only, and the reader asks the keychain', async () => {
  const entries = new Map<string, string>();
  const store = createSecretStore(file, clock, keychainOf(entries));
  expect((await store.put('ANTHROPIC_API_KEY', VALUE)).kept_in).toBe('keychain');
  expect(everyByte()).not.toContain(VALUE);
  const read = createStoredSecrets(
    file,
    () => 0,
    (name) => ({ getPassword: () => entries.get(name) ?? null }),
  );
  expect(read('ANTHROPIC_API_KEY')).toBe(VALUE);
  expect(read('OPENAI_API_KEY')).toBeUndefined();
  expect(await store.remove('ANTHROPIC_API_KEY')).toBe(true);
  expect(entries.size).toBe(0);
  expect(read('ANTHROPIC_API_KEY')).toBeUndefined();
  expect(await store.remove('ANTHROPIC_API_KEY')).toBe(false);
});

test('a replaced or removed secret counts from the next question on', async () => {
  const store = createSecretStore(file, clock, nobody);
  const secrets = openSecrets({ [STORED_SECRETS]: file }, false);
  const read = () => {
    const answer = secrets.named('MY_KEY');
    return answer.kind === 'found' ? answer.value : undefined;
  };
  expect(read()).toBeUndefined();
  await store.put('MY_KEY', 'one');
  expect(read()).toBe('one');
  await store.put('MY_KEY', 'two');
  expect(read()).toBe('two');
  await store.remove('MY_KEY');
  expect(read()).toBeUndefined();
});

test('a secret that was moved under another name, or whose key is gone, is none', async () => {
  const store = createSecretStore(file, clock, nobody);
  await store.put('OPENAI_API_KEY', VALUE);
  const moved = readFileSync(file, 'utf8').replace('OPENAI_API_KEY', 'GOOGLE_API_KEY');
  writeFileSync(file, moved);
  expect(createStoredSecrets(file)('GOOGLE_API_KEY')).toBeUndefined();
  writeFileSync(file, '{ broken');
  expect(store.list()).toEqual([]);
  await store.put('OPENAI_API_KEY', VALUE);
  writeFileSync(path.join(folder, 'secrets', 'secrets.key'), 'short');
  expect(createStoredSecrets(file)('OPENAI_API_KEY')).toBeUndefined();
  await store.put('OPENAI_API_KEY', 'again');
  expect(createStoredSecrets(file)('OPENAI_API_KEY')).toBe('again');
});

test('the keychain of this machine keeps a key, or says that there is none', async () => {
  const name = 'SPECWRIGHT_TEST_STORED_AND_REMOVED';
  const there = await systemKeychainDoor.getPassword(name).then(
    () => true,
    () => false,
  );
  if (!there) {
    await expect(systemKeychainDoor.setPassword(name, VALUE)).rejects.toThrow();
    expect(() => openKeptEntry(name).getPassword()).toThrow();
    return;
  }
  await systemKeychainDoor.setPassword(name, VALUE);
  expect(openKeptEntry(name).getPassword()).toBe(VALUE);
  await systemKeychainDoor.deletePassword(name);
  expect(await systemKeychainDoor.getPassword(name)).toBeNull();
});
