import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../test/support/small-disk.ts';
import { saveFile } from './saved-file.ts';

const scratch = () => mkdtempSync(path.join(tmpdir(), 'specwright-saved-'));

test('whoever reads a file while it is saved sees the old one or the new one, whole', async () => {
  const folder = scratch();
  const file = path.join(folder, 'runs.csv');
  writeFileSync(file, 'old');
  const text = 'a line of text\n'.repeat(2_000_000);
  const sizes = new Set<number>();
  let going = true;
  const saving = saveFile(file, text).finally(() => {
    going = false;
  });
  while (going) {
    sizes.add(statSync(file).size);
    await setImmediate();
  }
  expect(await saving).toBeNull();
  sizes.add(statSync(file).size);
  expect([...sizes]).toEqual([3, text.length]);
  expect(readdirSync(folder)).toEqual(['runs.csv']);
});

test('a save over a link writes what it points at; permissions stay', async () => {
  const folder = scratch();
  const file = path.join(folder, 'kept.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  symlinkSync(file, path.join(folder, 'link.json'));
  expect(await saveFile(path.join(folder, 'link.json'), 'ü')).toBeNull();
  expect(readFileSync(file, 'utf8')).toBe('ü');
  expect(statSync(file).mode & 0o777).toBe(0o666);
  expect(lstatSync(path.join(folder, 'link.json')).isSymbolicLink()).toBe(true);
});

test('a name may be as long as the system allows', async () => {
  const folder = scratch();
  const name = `${'r'.repeat(251)}.csv`;
  expect(await saveFile(path.join(folder, name), 'x')).toBeNull();
  expect(readdirSync(folder)).toEqual([name]);
});

test.skipIf(!canMakeSmallDisk())('a full disk is told, and keeps the old file', async () => {
  const disk = makeSmallDisk(1);
  if (disk === undefined) throw new Error('no small disk');
  const file = path.join(disk.folder, 'runs.csv');
  writeFileSync(file, 'old');
  expect(await saveFile(file, 'x'.repeat(4_000_000))).toBe('disk_full');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(disk.folder)).toEqual(['runs.csv']);
  disk.remove();
});

test('what cannot be written is told, and leaves nothing behind', async () => {
  const folder = scratch();
  mkdirSync(path.join(folder, 'taken'));
  writeFileSync(path.join(folder, 'file'), '');
  expect(await saveFile(path.join(folder, 'taken'), 'x')).toBe('not_a_file');
  expect(await saveFile(path.join(folder, 'file', 'below.txt'), 'x')).toBe('not_a_file');
  expect(await saveFile(path.join(folder, 'missing', 'x.txt'), 'x')).toBe('not_written');
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});
