import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../test/support/small-disk.ts';
import { profileFault } from './profile-fault.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder that can be made or written is none, and nothing is left in it', () => {
  const profile = path.join(folder, 'a', 'b');
  expect(profileFault(profile)).toBeUndefined();
  expect(profileFault(profile)).toBeUndefined();
  expect(readdirSync(profile)).toEqual([]);
  writeFileSync(path.join(folder, 'file'), '');
  expect(profileFault(path.join(folder, 'file', 'in'))).toContain('is a file');
});

test.skipIf(!canMakeSmallDisk())(
  'a disk that can only be read is told, a full one is left to others',
  () => {
    const disk = makeSmallDisk(1);
    if (disk === undefined) throw new Error('no small disk');
    disk.remount('ro');
    expect(profileFault(path.join(disk.folder, 'profile'))).toContain('can only be read');
    expect(profileFault(disk.folder)).toContain('can only be read');
    disk.remount('rw');
    expect(() => writeFileSync(path.join(disk.folder, 'all'), Buffer.alloc(2_000_000))).toThrow();
    expect(profileFault(disk.folder)).toBeUndefined();
    disk.remove();
  },
);
