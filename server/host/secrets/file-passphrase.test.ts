import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryKeychain } from '../../../test/support/memory-keychain.ts';
import { openSecrets, secretAdvice } from '../../runtime/secrets.ts';
import { createStoredSecrets, STORED_SECRETS } from '../../runtime/stored-secrets.ts';
import { createFilePassphrase } from './file-passphrase.ts';
import { openSecretsAtStart } from './open-at-start.ts';
import { createSecretStore } from './secret-store.ts';

const VALUE = 'sk-live-7d1f2b9c4e';
const PASSPHRASE = 'correct horse battery';
const clock = { now: () => Date.UTC(2026, 10, 21) };

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-secrets-'));
  file = path.join(folder, 'secrets', 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const names = () => readdirSync(path.dirname(file)).filter((name) => !name.endsWith('.lock'));

async function withPassphrase() {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  await store.put('MY_KEY', VALUE);
  const lock = createFilePassphrase(file);
  await lock.set(PASSPHRASE, undefined);
  return { store, lock };
}

test('with a passphrase no key lies beside the file, and nothing that lay there opens it', async () => {
  const store = createSecretStore(file, clock, memoryKeychain('absent'));
  await store.put('MY_KEY', VALUE);
  const oldKey = readFileSync(path.join(folder, 'secrets', 'secrets.key'));
  const lock = createFilePassphrase(file);
  await lock.set(PASSPHRASE, undefined);
  expect(names()).toEqual(['secrets.json']);
  expect(await store.read('MY_KEY')).toBe(VALUE);
  expect((await store.places()).next).toBe('file');
  lock.lock();
  writeFileSync(path.join(folder, 'secrets', 'secrets.key'), oldKey);
  expect(await store.list()).toMatchObject([{ name: 'MY_KEY', state: 'locked' }]);
  await expect(store.read('MY_KEY')).rejects.toMatchObject({ code: 'secrets_locked' });
  await expect(store.put('OTHER', VALUE, 'file')).rejects.toMatchObject({ code: 'secrets_locked' });
  await expect(lock.unlock('wrong horse battery')).rejects.toMatchObject({
    code: 'passphrase_wrong',
  });
  await lock.unlock(PASSPHRASE);
  expect(await store.read('MY_KEY')).toBe(VALUE);
});

test('a run is told what to do about a locked file, and finds the secret once it is opened', async () => {
  const { lock } = await withPassphrase();
  lock.lock();
  const secrets = openSecrets({ [STORED_SECRETS]: file }, false);
  const answer = secrets.named('MY_KEY');
  expect(answer).toEqual({ kind: 'refused', because: 'file_locked' });
  expect(secretAdvice('MY_KEY', answer)).toMatch(
    /^MY_KEY is stored in a file that is locked\. Open it/,
  );
  await lock.unlock(PASSPHRASE);
  expect(secrets.named('MY_KEY')).toEqual({ kind: 'found', value: VALUE });
});

test('a thread that runs already sees the passphrase that was given elsewhere', async () => {
  const { lock } = await withPassphrase();
  lock.lock();
  const module = new URL('../../runtime/stored-secrets.ts', import.meta.url).href;
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const reading = import(workerData.module).then((m) => m.createStoredSecrets(workerData.file));
     parentPort.on('message', async () => parentPort.postMessage((await reading).read('MY_KEY').kind));`,
    { eval: true, workerData: { module, file } },
  );
  const ask = () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    worker.once('message', resolve);
    worker.postMessage('read');
    return promise;
  };
  expect(await ask()).toBe('closed');
  await lock.unlock(PASSPHRASE);
  expect(await ask()).toBe('found');
  lock.lock();
  expect(await ask()).toBe('closed');
  await worker.terminate();
});

test('changing and removing it ask for the one of now', async () => {
  const { store, lock } = await withPassphrase();
  const wrong = { code: 'passphrase_wrong' };
  await expect(lock.set('another long one', undefined)).rejects.toMatchObject(wrong);
  await expect(lock.set('another long one', 'wrong horse')).rejects.toMatchObject(wrong);
  await expect(lock.remove('wrong horse')).rejects.toMatchObject(wrong);
  await lock.set('another long one', PASSPHRASE);
  await expect(lock.unlock(PASSPHRASE)).rejects.toMatchObject(wrong);
  await lock.remove('another long one');
  expect(names().sort()).toEqual(['secrets.json', 'secrets.key']);
  expect(await store.read('MY_KEY')).toBe(VALUE);
  expect(createStoredSecrets(file).read('MY_KEY')).toEqual({ kind: 'found', value: VALUE });
});

test('a forgotten one is let go once nothing is sealed under it', async () => {
  const { store, lock } = await withPassphrase();
  lock.lock();
  await store.remove('MY_KEY');
  await lock.set('a new passphrase', 'forgotten');
  await store.put('MY_KEY', 'stored again');
  expect(await store.read('MY_KEY')).toBe('stored again');
});

test('letters that a keyboard composes in another way are the same passphrase', async () => {
  const lock = createFilePassphrase(file);
  await lock.set('Stra\u00dfe \u00fcber M\u00fcnchen', undefined);
  lock.lock();
  await lock.unlock('Stra\u00dfe u\u0308ber Mu\u0308nchen');
  expect(lock.isLocked()).toBe(false);
});

test('a start opens it with the file that a variable names, and refuses a wrong one', async () => {
  const { lock } = await withPassphrase();
  lock.lock();
  expect(await openSecretsAtStart(folder, {})).toBe(false);
  const given = path.join(folder, 'passphrase');
  const env = { SPECWRIGHT_SECRETS_PASSPHRASE_FILE: given };
  await expect(openSecretsAtStart(folder, env)).rejects.toThrow(/cannot be read \(ENOENT\)/);
  writeFileSync(given, 'wrong horse battery\n');
  await expect(openSecretsAtStart(folder, env)).rejects.toThrow(/another passphrase/);
  writeFileSync(given, `${PASSPHRASE}\n`);
  expect(await openSecretsAtStart(folder, env)).toBe(true);
  expect(lock.isLocked()).toBe(false);
});
