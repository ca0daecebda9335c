import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTrustedFolders, type TrustedFolders } from './trusted-folders.ts';

let folder = '';
let trusted: TrustedFolders;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'trusted-')));
  trusted = openTrustedFolders(at('config/trusted-folders.json'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
const make = (name: string) => {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(`${name}/a.yaml`), 'version: v1\n');
  return at(name);
};

test('a folder that is removed and made anew at the same place is another one, every time', () => {
  for (let turn = 0; turn < 50; turn += 1) {
    const desk = make('desk');
    trusted.add(desk, 'now');
    expect(trusted.has(desk)).toBe(true);
    rmSync(desk, { recursive: true });
    expect(trusted.has(desk)).toBe(false);
    // Systems give the number of the removed folder to the next one; its birth differs.
    make('desk');
    expect(trusted.has(desk)).toBe(false);
    expect(trusted.list()).toMatchObject([{ folder: desk, stands: false }]);
  }
});

test('trust is about one folder: not what is around it, in it, beside it or copied from it', () => {
  const desk = make('house/desk');
  make('house/desk/drawer');
  trusted.add(desk, 'now');
  cpSync(desk, at('copy'), { recursive: true, preserveTimestamps: true });
  for (const other of ['house', 'house/desk/drawer', 'copy', '.'])
    expect(trusted.has(at(other)), other).toBe(false);
  renameSync(desk, at('moved'));
  expect([trusted.has(at('moved')), trusted.has(desk)]).toEqual([false, false]);
  // A copy in the place of the one that went away is no more trusted than elsewhere.
  cpSync(at('moved'), desk, { recursive: true, preserveTimestamps: true });
  expect(trusted.has(desk)).toBe(false);
  rmSync(desk, { recursive: true });
  renameSync(at('moved'), desk);
  expect(trusted.has(desk)).toBe(true);
});

test('a link is the folder that it leads to now', () => {
  const desk = make('desk');
  const other = make('other');
  const link = at('link');
  symlinkSync(desk, link);
  trusted.add(desk, 'now');
  expect(trusted.has(link)).toBe(true);
  rmSync(link);
  symlinkSync(other, link);
  expect(trusted.has(link)).toBe(false);
  // The trusted place itself becomes a link to somewhere else.
  rmSync(desk, { recursive: true });
  symlinkSync(other, desk);
  expect([trusted.has(desk), trusted.has(other)]).toEqual([false, false]);
});

test('trust that is taken back by another way to the folder is gone by every way', () => {
  const desk = make('desk');
  symlinkSync(desk, at('link'));
  trusted.add(desk, 'now');
  trusted.add(at('link'), 'later');
  expect(trusted.list()).toEqual([{ folder: at('link'), trusted_at: 'later', stands: true }]);
  expect(trusted.remove(desk)).toBe(true);
  expect([trusted.has(desk), trusted.has(at('link'))]).toEqual([false, false]);
  expect(trusted.remove(desk)).toBe(false);
});

test('names that look alike are folders of their own where the disk says so', () => {
  const names = ['caf\u00e9', 'cafe\u0301', 'Desk', 'desk', 'de\u200bsk', 'd\u0435sk'];
  for (const name of names) make(name);
  for (const name of names) {
    trusted.add(at(name), 'now');
    const same = (other: string) =>
      realpathSync.native(at(other)) === realpathSync.native(at(name));
    for (const other of names) expect(trusted.has(at(other)), other).toBe(same(other));
    trusted.remove(at(name));
  }
});
