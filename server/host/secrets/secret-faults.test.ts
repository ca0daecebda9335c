// What goes wrong around a file of secrets loses none of them, and is told.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCli } from '../../../test/support/cli.ts';
import { memoryKeychain } from '../../../test/support/memory-keychain.ts';
import { canMakeSmallDisk, makeSmallDisk } from '../../../test/support/small-disk.ts';
import { createStoredSecrets } from '../../runtime/stored-secrets.ts';
import { createFilePassphrase } from './file-passphrase.ts';
import { createSecretStore } from './secret-store.ts';

const VALUE = 'sk-live-7d1f2b9c4e';
const FIRST = 'correct horse battery';
const SECOND = 'another long passphrase';
const clock = { now: () => Date.UTC(2026, 10, 21) };
const found = (value: string) => ({ kind: 'found', value });
const closed = (because: string) => ({ kind: 'closed', because });

let folder = '';
let file = '';
let keyFile = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-secrets-'));
  file = path.join(folder, 'secrets', 'secrets.json');
  keyFile = path.join(folder, 'secrets', 'secrets.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openFile = (at = file) => createSecretStore(at, clock, memoryKeychain('absent'));
const stored = () => JSON.parse(readFileSync(file, 'utf8'));

test('a passphrase that another process changed locks the file here; nothing is sealed under the lost key', async () => {
  const cli = createCli();
  const data = path.join(cli.folder, 'data');
  const shared = path.join(data, 'secrets', 'secrets.json');
  const lock = createFilePassphrase(shared);
  const store = openFile(shared);
  await store.put('FIRST_KEY', VALUE);
  await lock.set(FIRST, undefined);
  const reader = createStoredSecrets(shared);
  expect(reader.read('FIRST_KEY')).toEqual(found(VALUE));
  const words = ['secrets', 'passphrase', '--data', data];
  const typed = `${FIRST}\n${SECOND}\n${SECOND}\n`;
  expect((await cli.run(words, {}, typed)).code).toBe(0);
  expect(lock.isLocked()).toBe(true);
  expect(reader.read('FIRST_KEY')).toEqual(closed('file_locked'));
  const refused = { code: 'secrets_locked' };
  await expect(store.put('SECOND_KEY', VALUE, 'file')).rejects.toMatchObject(refused);
  await expect(store.read('FIRST_KEY')).rejects.toMatchObject(refused);
  await lock.unlock(SECOND);
  await store.put('SECOND_KEY', 'two', 'file');
  expect([reader.read('FIRST_KEY'), reader.read('SECOND_KEY')]).toEqual([
    found(VALUE),
    found('two'),
  ]);
  cli.dispose();
});

describe('a key that cannot be read now', () => {
  const ways: readonly (readonly [string, (key: Buffer) => () => void])[] = [
    [
      'the system refuses it',
      (key) => {
        rmSync(keyFile);
        mkdirSync(keyFile);
        return () => {
          rmSync(keyFile, { recursive: true });
          writeFileSync(keyFile, key);
        };
      },
    ],
    [
      'it is a link to a drive that is not there',
      (key) => {
        const drive = path.join(folder, 'drive');
        rmSync(keyFile);
        symlinkSync(path.join(drive, 'key'), keyFile);
        return () => {
          mkdirSync(drive);
          writeFileSync(path.join(drive, 'key'), key);
        };
      },
    ],
  ];
  test.each(ways)(
    '%s: none is put in its place, and all is there with it again',
    async (_, hide) => {
      const store = openFile();
      await store.put('MY_KEY', VALUE);
      const reader = createStoredSecrets(file);
      const giveBack = hide(readFileSync(keyFile));
      const before = readFileSync(file);
      const refused = { code: 'secrets_unreadable' };
      await expect(store.put('OTHER', 'x')).rejects.toMatchObject(refused);
      await expect(store.read('MY_KEY')).rejects.toMatchObject(refused);
      await expect(createFilePassphrase(file).set(FIRST, undefined)).rejects.toMatchObject(refused);
      expect(await store.overview()).toMatchObject({
        places: { fault: 'unreadable' },
        secrets: [{ state: 'unreadable' }],
      });
      expect(createStoredSecrets(file).read('MY_KEY')).toEqual(closed('file_unreadable'));
      expect(readFileSync(file).equals(before)).toBe(true);
      giveBack();
      expect([await store.read('MY_KEY'), reader.read('MY_KEY')]).toEqual([VALUE, found(VALUE)]);
    },
  );

  test('what is no key is kept aside when another one is made', async () => {
    const store = openFile();
    await store.put('MY_KEY', VALUE);
    writeFileSync(keyFile, 'half of a key');
    await store.put('OTHER', 'x');
    expect(readFileSync(`${keyFile}.damaged-1`, 'utf8')).toBe('half of a key');
    expect(await store.read('OTHER')).toBe('x');
  });
});

describe('a file that this version does not understand', () => {
  test('of a later version is known by its format alone, and left as it is', async () => {
    mkdirSync(path.dirname(file));
    const later = JSON.stringify({ format: 'secrets/3', secrets: [['MY_KEY', {}]], key: 'hsm' });
    writeFileSync(file, later);
    const store = openFile();
    const refused = { code: 'secrets_newer' };
    await expect(store.put('MY_KEY', VALUE)).rejects.toMatchObject(refused);
    await expect(store.read('MY_KEY')).rejects.toMatchObject(refused);
    await expect(createFilePassphrase(file).unlock(FIRST)).rejects.toMatchObject(refused);
    expect((await store.places()).fault).toBe('newer');
    expect(createStoredSecrets(file).read('MY_KEY')).toEqual(closed('file_unreadable'));
    expect(readFileSync(file, 'utf8')).toBe(later);
  });

  test('records that it cannot read are listed, kept by every change, and replaced by name only', async () => {
    const store = openFile();
    await store.put('MY_KEY', VALUE);
    const later = { kept_in: 'hardware', slot: 3 };
    const secrets = { ...stored().secrets, LATER_KEY: later, BAD_KEY: 7 };
    writeFileSync(file, JSON.stringify({ ...stored(), secrets }));
    await store.put('OTHER', 'x');
    expect(stored().secrets).toMatchObject({ LATER_KEY: later, BAD_KEY: 7 });
    const state = 'unreadable';
    expect((await store.list()).slice(2)).toMatchObject([
      { name: 'LATER_KEY', stored_at: null, state },
      { name: 'BAD_KEY', stored_at: null, state },
    ]);
    expect(createStoredSecrets(file).read('LATER_KEY')).toEqual(closed('unreadable'));
    const unreadable = { code: 'secret_unreadable' };
    await expect(store.read('LATER_KEY')).rejects.toMatchObject(unreadable);
    await expect(store.move('LATER_KEY', 'keychain')).rejects.toMatchObject(unreadable);
    const lock = createFilePassphrase(file);
    await expect(lock.set(FIRST, undefined)).rejects.toMatchObject({ code: 'secrets_newer' });
    await store.put('LATER_KEY', 'stored again');
    expect(await store.remove('BAD_KEY')).toBe(true);
    expect(await store.read('LATER_KEY')).toBe('stored again');
    expect(Object.keys(stored().secrets).sort()).toEqual(['LATER_KEY', 'MY_KEY', 'OTHER']);
  });

  test('one that the system refuses is neither empty nor replaced', async () => {
    mkdirSync(file, { recursive: true });
    const store = openFile();
    const refused = { code: 'secrets_unreadable' };
    await expect(store.put('MY_KEY', VALUE)).rejects.toMatchObject(refused);
    await expect(store.read('MY_KEY')).rejects.toMatchObject(refused);
    expect((await store.places()).fault).toBe('unreadable');
    const reader = createStoredSecrets(file);
    await reader.ready();
    expect(reader.read('MY_KEY')).toEqual(closed('file_unreadable'));
    rmSync(file, { recursive: true });
    await store.put('MY_KEY', VALUE);
    expect(reader.read('MY_KEY')).toEqual(found(VALUE));
  });
});

describe('a keychain', () => {
  test('that is gone for good holds up no removal; its copy goes when one answers', async () => {
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put('MY_KEY', VALUE);
    keychain.state = 'absent';
    expect([await store.remove('MY_KEY'), await store.list()]).toEqual([true, []]);
    keychain.state = 'open';
    await store.put('OTHER', 'x', 'file');
    expect(keychain.entries.size).toBe(0);
  });

  test('that is asked while the file changes is asked again', async () => {
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put('MY_KEY', 'one');
    const reader = createStoredSecrets(file, () => 0, {
      ...keychain,
      // Between its question and its answer the secret is replaced, which removes the old entry.
      async look(accounts) {
        const view = await keychain.look(accounts);
        if ((await store.read('MY_KEY')) === 'one') {
          await store.put('MY_KEY', 'two');
          reader.read('MY_KEY');
        }
        return view;
      },
    });
    await reader.ready();
    expect(reader.read('MY_KEY')).toEqual(found('two'));
  });

  test('that something moves into after it was asked: what was answered then counts until it is asked again', async () => {
    const keychain = memoryKeychain();
    const store = createSecretStore(file, clock, keychain);
    await store.put('FIRST_KEY', 'one');
    await store.put('OTHER_KEY', 'x', 'file');
    const reader = createStoredSecrets(file, () => 0, keychain);
    await reader.ready();
    await store.put('FIRST_KEY', 'two');
    await store.move('OTHER_KEY', 'keychain');
    expect([reader.read('FIRST_KEY'), reader.read('OTHER_KEY')]).toEqual([
      found('one'),
      found('x'),
    ]);
    await reader.ready();
    expect(reader.read('FIRST_KEY')).toEqual(found('two'));
  });
});

test.skipIf(!canMakeSmallDisk())(
  'a full disk refuses a change and keeps what was stored',
  async () => {
    const disk = makeSmallDisk(1);
    if (disk === undefined) throw new Error('no small disk');
    const full = path.join(disk.folder, 'secrets', 'secrets.json');
    const store = openFile(full);
    await store.put('MY_KEY', VALUE);
    const refused = { code: 'secrets_unwritable' };
    await expect(store.put('MY_KEY', 'x'.repeat(2_000_000))).rejects.toMatchObject(refused);
    await expect(store.put('OTHER', 'x'.repeat(2_000_000))).rejects.toMatchObject(refused);
    expect(await openFile(full).read('MY_KEY')).toBe(VALUE);
    disk.remove();
  },
);
