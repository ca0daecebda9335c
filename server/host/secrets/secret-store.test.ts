import { createCipheriv, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Killed, memoryKeychain } from '../../../test/support/memory-keychain.ts';
import { openSecrets } from '../../runtime/secrets.ts';
import { createStoredSecrets, STORED_SECRETS } from '../../runtime/stored-secrets.ts';
import { createSecretStore } from './secret-store.ts';

const VALUE = 'sk-live-7d1f2b9c4e';
const NAME = 'OPENAI_API_KEY';
const clock = { now: () => Date.UTC(2026, 10, 21) };
const found = (value: string) => ({ kind: 'found', value });

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-secrets-'));
  file = path.join(folder, 'secrets', 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function everyByte(): string {
  return readdirSync(path.dirname(file))
    .map((name) => readFileSync(path.join(path.dirname(file), name), 'latin1'))
    .join('\n');
}

test('without a keychain a secret stands in an encrypted file, never in plain text (decisions 25)', async () => {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  expect(await store.places()).toMatchObject({ keychain: 'absent', file: 'open', next: 'file' });
  expect(await store.put(NAME, VALUE)).toEqual({
    name: NAME,
    use: 'model',
    kept_in: 'file',
    stored_at: '2026-11-21T00:00:00.000000+00:00',
    state: 'ready',
    second_copy: false,
  });
  expect(everyByte()).not.toContain(VALUE);
  for (const name of readdirSync(path.dirname(file))) {
    expect(statSync(path.join(path.dirname(file), name)).mode & 0o077, name).toBe(0);
  }
  expect(JSON.stringify(await store.list())).not.toContain(VALUE);
  const env = { [STORED_SECRETS]: file, OPENAI_API_KEY: 'from-env' };
  expect(openSecrets(env, false).providerKey('openai')).toEqual(found(VALUE));
});

test('a keychain gets one line of base64 under an account of its own for each value', async () => {
  const keychain = memoryKeychain();
  const store = createSecretStore(file, clock, keychain);
  expect((await store.put(NAME, VALUE)).kept_in).toBe('keychain');
  const [first] = keychain.entries;
  expect(first?.[0]).toMatch(/^OPENAI_API_KEY#[\da-f]{8}\.[\da-f]{8}$/);
  expect(first?.[1]).toBe(Buffer.from(VALUE).toString('base64'));
  expect(everyByte()).not.toContain(VALUE);
  await store.put(NAME, 'two');
  expect([...keychain.entries.values()]).toEqual([Buffer.from('two').toString('base64')]);
  const reader = createStoredSecrets(file, () => 0, keychain);
  await reader.ready();
  expect([reader.read(NAME), reader.read('MY_KEY')]).toEqual([found('two'), { kind: 'missing' }]);
  expect(await store.remove(NAME)).toBe(true);
  expect(keychain.entries.size).toBe(0);
  expect(reader.read(NAME)).toEqual({ kind: 'missing' });
  expect(await store.remove(NAME)).toBe(false);
});

test('a replaced or removed secret counts from the next question on', async () => {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  const secrets = openSecrets({ [STORED_SECRETS]: file }, false);
  expect(secrets.named('MY_KEY').kind).toBe('missing');
  await store.put('MY_KEY', 'one');
  expect(secrets.named('MY_KEY')).toEqual(found('one'));
  await store.put('MY_KEY', 'two');
  expect(secrets.named('MY_KEY')).toEqual(found('two'));
  await store.remove('MY_KEY');
  expect(secrets.named('MY_KEY').kind).toBe('missing');
});

test('a secret that was moved under another name, or whose key is gone, says so', async () => {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  await store.put(NAME, VALUE);
  writeFileSync(file, readFileSync(file, 'utf8').replace(NAME, 'GOOGLE_API_KEY'));
  const gone = { kind: 'closed', because: 'unreadable' };
  expect(createStoredSecrets(file).read('GOOGLE_API_KEY')).toEqual(gone);
  expect(await store.list()).toMatchObject([{ state: 'unreadable' }]);
  await expect(store.move('GOOGLE_API_KEY', 'keychain')).rejects.toMatchObject({
    code: 'secret_unreadable',
  });
  writeFileSync(path.join(folder, 'secrets', 'secrets.key'), 'short');
  await store.put(NAME, 'again');
  expect(createStoredSecrets(file).read(NAME)).toEqual(found('again'));
});

test('a damaged file is set aside, that of a later version is never written over', async () => {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  await store.put(NAME, VALUE);
  writeFileSync(file, '{ broken');
  expect(await store.list()).toEqual([]);
  await store.put(NAME, VALUE);
  expect(readFileSync(`${file}.damaged-1`, 'utf8')).toBe('{ broken');
  const later = JSON.stringify({ format: 'secrets/9', secrets: {}, more: 1 });
  writeFileSync(file, later);
  await expect(store.put(NAME, VALUE)).rejects.toMatchObject({ code: 'secrets_newer' });
  expect(readFileSync(file, 'utf8')).toBe(later);
});

test('what the first form of the file stored is read, and replaced in the form of now', async () => {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from('MY_KEY'));
  const text = Buffer.concat([cipher.update('sealed before'), cipher.final()]);
  const sealed = Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
  const stored_at = '2026-11-20T00:00:00.000000+00:00';
  mkdirSync(path.dirname(file));
  writeFileSync(path.join(folder, 'secrets', 'secrets.key'), key);
  const secrets = {
    MY_KEY: { kept_in: 'file', stored_at, sealed },
    [NAME]: { kept_in: 'keychain', stored_at },
  };
  writeFileSync(file, JSON.stringify({ format: 'secrets/1', secrets }));
  const keychain = memoryKeychain();
  keychain.entries.set(NAME, VALUE);
  const reader = createStoredSecrets(file, () => 0, keychain);
  await reader.ready();
  expect([reader.read('MY_KEY'), reader.read(NAME)]).toEqual([
    found('sealed before'),
    found(VALUE),
  ]);
  const store = createSecretStore(file, clock, keychain);
  await store.put(NAME, 'new');
  expect([...keychain.entries.keys()]).toEqual([expect.stringMatching(/^OPENAI_API_KEY#/)]);
  expect(await store.read('MY_KEY')).toBe('sealed before');
  await store.move('MY_KEY', 'keychain');
  expect(await store.read('MY_KEY')).toBe('sealed before');
});

describe('a keychain that does not open', () => {
  test('a locked one is refused, never replaced by the file by itself', async () => {
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put(NAME, VALUE);
    keychain.state = 'locked';
    await expect(store.put('MY_KEY', VALUE)).rejects.toMatchObject({ code: 'keychain_locked' });
    await expect(store.remove(NAME)).rejects.toMatchObject({ code: 'keychain_locked' });
    await expect(store.move(NAME, 'file')).rejects.toMatchObject({ code: 'keychain_locked' });
    expect(await store.list()).toMatchObject([{ name: NAME, state: 'locked' }]);
    expect((await store.put('MY_KEY', VALUE, 'file')).kept_in).toBe('file');
    const reader = createStoredSecrets(file, () => 0, keychain);
    await reader.ready();
    expect(reader.read(NAME)).toEqual({ kind: 'closed', because: 'keychain_locked' });
    keychain.state = 'open';
    expect(await store.read(NAME)).toBe(VALUE);
  });

  test('one that went away keeps what it has; new secrets go to the file', async () => {
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put(NAME, VALUE);
    keychain.state = 'absent';
    expect(await store.list()).toMatchObject([{ name: NAME, state: 'absent' }]);
    expect((await store.put('MY_KEY', VALUE)).kept_in).toBe('file');
    await expect(store.put('MY_KEY', VALUE, 'keychain')).rejects.toMatchObject({
      code: 'keychain_absent',
    });
    expect(await store.read('MY_KEY')).toBe(VALUE);
    // Somebody who names no place can replace what is out of reach; the old copy goes later.
    expect((await store.put(NAME, 'two')).kept_in).toBe('file');
    expect(await store.list()).toMatchObject([{ name: NAME, second_copy: true }, {}]);
    keychain.state = 'open';
    await store.put('MY_KEY', 'three');
    expect(keychain.entries.size).toBe(0);
    expect(await store.read(NAME)).toBe('two');
    expect(await store.list()).toMatchObject([{ name: NAME, second_copy: false }, {}]);
  });

  test('a variable of the environment stands in for one that is closed, else the spec is refused', async () => {
    await createSecretStore(file, clock, memoryKeychain()).put(NAME, VALUE);
    const secrets = openSecrets({ [STORED_SECRETS]: file }, false);
    await secrets.ready();
    expect(secrets.providerKey('openai').kind).toBe('refused');
    const env = { [STORED_SECRETS]: file, OPENAI_API_KEY: 'from-env' };
    expect(openSecrets(env, false).providerKey('openai')).toEqual(found('from-env'));
  });
});

describe('a kill in the middle of a move loses nothing', () => {
  const ways = ['keychain', 'file'] as const;
  const cases = ways.flatMap((to) =>
    [0, 1, 2, 3].flatMap((calls) => [false, true].map((after) => ({ to, calls, after }))),
  );
  test.for(cases)('to the $to, at call $calls of the keychain, after it: $after', async (at) => {
    const { to, ...killAt } = at;
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put(NAME, VALUE, to === 'file' ? 'keychain' : 'file');
    keychain.killAt = killAt;
    await store.move(NAME, to).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    keychain.killAt = undefined;
    const next = createSecretStore(file, clock, keychain);
    expect(await next.read(NAME)).toBe(VALUE);
    await next.put('ANOTHER', 'x', 'file');
    await next.move(NAME, to);
    expect(await next.read(NAME)).toBe(VALUE);
    // One copy is left, at the place that was asked for.
    expect(keychain.entries.size).toBe(to === 'keychain' ? 1 : 0);
    expect(await next.list()).toMatchObject([{ kept_in: to, second_copy: false }, {}]);
  });
});

test('two programs that change the secrets at once lose none', async () => {
  const stores = [1, 2, 3].map(() => createSecretStore(file, clock, memoryKeychain('absent')));
  const names = Array.from({ length: 12 }, (_, n) => `KEY_${n}`);
  await Promise.all(names.map((name, n) => stores[n % 3]?.put(name, `value ${n}`)));
  const [store] = stores;
  const values = await Promise.all(names.map((name) => store?.read(name)));
  expect(values).toEqual(names.map((_, n) => `value ${n}`));
});

test.each(['platform', 'remote'])(
  'a secret of the program itself (%s:) is given to no spec, and can be forgotten',
  async (use) => {
    const store = createSecretStore(file, clock, memoryKeychain('absent'));
    const name = `${use}:team`;
    await store.put(name, VALUE);
    expect(await store.list()).toMatchObject([{ name, use }]);
    for (const trusted of [true, false]) {
      const secrets = openSecrets({ [STORED_SECRETS]: file }, trusted);
      expect(secrets.named(name)).toEqual({ kind: 'missing' });
    }
    expect(await store.read(name)).toBe(VALUE);
    expect([await store.remove(name), await store.remove(name)]).toEqual([true, false]);
    expect([await store.read(name), await store.list()]).toEqual([undefined, []]);
  },
);
