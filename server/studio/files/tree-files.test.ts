import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../kernel/sha256.ts';
import { createFile, holdFolder, isTemporaryOf, readFile, replaceFile } from './tree-files.ts';

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
  await holdFolder(root, [], async (held) => {
    const found = await Promise.all(names.map((name) => held.stat(name)));
    expect(found).toEqual(['other', 'other', 'other', 'file', 'absent']);
    expect(await held.read('link.yaml')).toBeUndefined();
    expect(await held.read('bad.yaml')).toBeUndefined();
  });
  await expect(holdFolder(root, ['linked'], async () => 1)).rejects.toThrow();
  expect(await readFile(root, 'real/a.yaml')).toMatchObject({ text: 'x' });
});

test('a replaced file keeps its mode and leaves nothing beside it', async () => {
  const file = path.join(root, 'a.yaml');
  writeFileSync(file, 'old');
  chmodSync(file, 0o640);
  const before = await readFile(root, 'a.yaml');
  if (before === undefined) throw new Error('no file');
  const done = { state: 'replaced', late: undefined };
  expect(await replaceFile(root, 'a.yaml', Buffer.from('new'), before)).toEqual(done);
  expect(readFileSync(file, 'utf8')).toBe('new');
  // It holds other bytes by now, and then none.
  expect(await replaceFile(root, 'a.yaml', Buffer.from('x'), before)).toEqual({ state: 'changed' });
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(root)).toEqual(['a.yaml']);
  rmSync(file);
  expect(await replaceFile(root, 'a.yaml', Buffer.from('x'), before)).toEqual({ state: 'changed' });
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

test('a file in a held folder is whole on the disk before its name is, and named before it is told', async () => {
  const seen: string[][] = [];
  const look = (): void => void seen.push(readdirSync(path.join(root, 'made', 'here')));
  await holdFolder(root, ['made', 'here'], async (held) => {
    const create = (text: string) =>
      held.create('a.yaml', Buffer.from(text), { bytes: look, name: look });
    expect(await create('1')).toBe(true);
    expect(await create('2')).toBe(false);
    expect((await held.read('a.yaml'))?.text).toBe('1');
  });
  const [first, second, third, ...more] = seen;
  expect(first?.filter((name) => !isTemporaryOf('a.yaml', name))).toEqual([]);
  expect(second).toContain('a.yaml');
  expect(third).toContain('a.yaml');
  expect(more).toEqual([]);
  expect(readdirSync(path.join(root, 'made', 'here'))).toEqual(['a.yaml']);
  expect(statSync(path.join(root, 'made', 'here', 'a.yaml')).mode & 0o777).toBe(0o644);
});

test('only the leftovers of a write are taken for such', () => {
  expect(isTemporaryOf('a.yaml', '.a.yaml.tmp-0123456789abcdef')).toBe(true);
  expect(isTemporaryOf('a.yaml', '.a.yaml.tmp-0123456789abcde')).toBe(false);
  expect(isTemporaryOf('a.yaml', '.b.yaml.tmp-0123456789abcdef')).toBe(false);
});
