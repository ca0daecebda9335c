import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../../../test/support/small-disk.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { isTemporaryOf } from './disk-work.ts';
import { createFile, readFile, replaceFile, standingAt } from './tree-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tree-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a file is read as its exact bytes: mark, line ends and revision', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const bytes = Buffer.from(`\ufeff${text}\r\n`);
      writeFileSync(path.join(root, 'a.yaml'), bytes);
      const read = await readFile(root, 'a.yaml');
      expect(read?.revision).toBe(sha256Hex(bytes));
      expect(Buffer.from(read?.text ?? '').equals(bytes)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('links in any component, folders and bytes that are no UTF-8 are not read', async () => {
  mkdirSync(path.join(root, 'real'));
  writeFileSync(path.join(root, 'real', 'a.yaml'), 'x');
  symlinkSync(path.join(root, 'real'), path.join(root, 'linked'));
  symlinkSync(path.join(root, 'real', 'a.yaml'), path.join(root, 'link.yaml'));
  writeFileSync(path.join(root, 'bad.yaml'), Buffer.from([0xff, 0xfe]));
  for (const ref of [
    'linked/a.yaml',
    'link.yaml',
    'real',
    'bad.yaml',
    'gone.yaml',
    'real/a.yaml/b',
  ]) {
    expect(await readFile(root, ref), ref).toBeUndefined();
  }
  const names = ['link.yaml', 'linked', 'real', 'bad.yaml', 'gone.yaml'];
  const found = await Promise.all(names.map((name) => standingAt(root, name)));
  expect(found).toEqual(['other', 'other', 'other', 'file', 'absent']);
  await expect(standingAt(root, 'linked/a.yaml')).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(await standingAt(root, 'made/here/a.yaml')).toBe('absent');
  expect(readdirSync(path.join(root, 'made'))).toEqual(['here']);
  expect(await readFile(root, 'real/a.yaml')).toMatchObject({ text: 'x' });
});

test('a replaced file keeps its mode and leaves nothing beside it', async () => {
  const file = path.join(root, 'a.yaml');
  writeFileSync(file, 'old');
  chmodSync(file, 0o640);
  const before = await readFile(root, 'a.yaml');
  const replace = (text: string) =>
    replaceFile(root, 'a.yaml', sha256Hex('old'), Buffer.from(text));
  expect(await replace('new')).toEqual({ state: 'replaced', before, late: undefined });
  expect(readFileSync(file, 'utf8')).toBe('new');
  // It holds other bytes by now, and then none.
  expect(await replace('x')).toEqual({ state: 'changed' });
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(root)).toEqual(['a.yaml']);
  rmSync(file);
  expect(await replace('x')).toEqual({ state: 'changed' });
  expect(readdirSync(root)).toEqual([]);
});

test('a created file never replaces one, and folders are made on the way', async () => {
  expect(await createFile(root, '.studio/drafts/a.yaml', Buffer.from('1'))).toBe(true);
  expect(await createFile(root, '.studio/drafts/a.yaml', Buffer.from('2'))).toBe(false);
  expect(readFileSync(path.join(root, '.studio/drafts/a.yaml'), 'utf8')).toBe('1');
  expect(readdirSync(path.join(root, '.studio/drafts'))).toEqual(['a.yaml']);
  symlinkSync(tmpdir(), path.join(root, 'out'));
  await expect(createFile(root, 'out/a.yaml', Buffer.from('1'))).rejects.toThrow();
});

test('of writers that saw the same file one writes, and what it wrote is whole', async () => {
  const file = path.join(root, 'a.yaml');
  writeFileSync(file, 'old');
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(100_000));
  const answers = await Promise.all(
    texts.map((text) => replaceFile(root, 'a.yaml', sha256Hex('old'), Buffer.from(text))),
  );
  expect(answers.filter(({ state }) => state === 'replaced')).toHaveLength(1);
  expect(texts).toContain(readFileSync(file, 'utf8'));
  expect(readdirSync(root)).toEqual(['a.yaml']);
});

test.skipIf(process.platform !== 'linux')('nothing of a tree stays open', async () => {
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((handle) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${handle}`);
        return file.startsWith(root) ? [file] : [];
      } catch {
        // The handle with which the list was read.
        return [];
      }
    });
  writeFileSync(path.join(root, 'a.yaml'), 'old');
  mkdirSync(path.join(root, 'd'));
  symlinkSync('a.yaml', path.join(root, 'link.yaml'));
  for (const ref of ['a.yaml', 'a.yaml', 'link.yaml', 'gone.yaml', 'd', 'no/a.yaml']) {
    await replaceFile(root, ref, sha256Hex('old'), Buffer.from('new'));
    await readFile(root, ref);
    await createFile(root, ref, Buffer.from('new'));
    await standingAt(root, `${ref}/deeper`).catch(() => undefined);
  }
  expect(open()).toEqual([]);
});

test.skipIf(!canMakeSmallDisk())('a full disk keeps the old file, alone, and says so', async () => {
  const disk = makeSmallDisk(1);
  if (disk === undefined) throw new Error('no small disk');
  writeFileSync(path.join(disk.folder, 'a.yaml'), 'old');
  const large = Buffer.alloc(4_000_000, 'x');
  const full = { code: 'ENOSPC' };
  const replacing = replaceFile(disk.folder, 'a.yaml', sha256Hex('old'), large);
  await expect(replacing).rejects.toMatchObject(full);
  await expect(createFile(disk.folder, 'b.yaml', large)).rejects.toMatchObject(full);
  expect(readFileSync(path.join(disk.folder, 'a.yaml'), 'utf8')).toBe('old');
  expect(readdirSync(disk.folder)).toEqual(['a.yaml']);
  disk.remove();
});

test('the event loop goes on while files are written', async () => {
  const large = Buffer.alloc(8_000_000, 'x');
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all([1, 2, 3, 4].map((n) => createFile(root, `${n}.yaml`, large)));
  isDone = true;
  expect(turns).toBeGreaterThan(10);
  expect(statSync(path.join(root, '4.yaml')).mode & 0o777).toBe(0o644);
});

test('only the leftovers of a write are taken for such', () => {
  expect(isTemporaryOf('a.yaml', '.a.yaml.tmp-0123456789abcdef')).toBe(true);
  expect(isTemporaryOf('a.yaml', '.a.yaml.tmp-0123456789abcde')).toBe(false);
  expect(isTemporaryOf('a.yaml', '.b.yaml.tmp-0123456789abcdef')).toBe(false);
});
