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
import { expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../../test/support/small-disk.ts';
import { CommandFailure } from './command-failure.ts';
import { writeFile } from './write-file.ts';

const scratch = () => mkdtempSync(path.join(tmpdir(), 'write-file-'));

test('a write over a link writes what it points at; folders are made, permissions stay', () => {
  const folder = scratch();
  writeFile(path.join(folder, 'specs/kept.yaml'), 'old');
  chmodSync(path.join(folder, 'specs/kept.yaml'), 0o600);
  symlinkSync(path.join(folder, 'specs/kept.yaml'), path.join(folder, 'link.yaml'));
  writeFile(path.join(folder, 'link.yaml'), 'new');
  expect(lstatSync(path.join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path.join(folder, 'specs/kept.yaml'), 'utf8')).toBe('new');
  expect(readdirSync(path.join(folder, 'specs'))).toEqual(['kept.yaml']);
  expect(statSync(path.join(folder, 'specs/kept.yaml')).mode & 0o777).toBe(0o600);
});

test('what cannot be written is told and leaves nothing behind', () => {
  const folder = scratch();
  mkdirSync(path.join(folder, 'taken'));
  expect(() => writeFile(path.join(folder, 'taken'), 'x')).toThrow(CommandFailure);
  writeFileSync(path.join(folder, 'file'), '');
  expect(() => writeFile(path.join(folder, 'file', 'below'), 'x')).toThrow(CommandFailure);
  symlinkSync('round', path.join(folder, 'round'));
  expect(() => writeFile(path.join(folder, 'round'), 'x')).toThrow(CommandFailure);
  expect(readdirSync(folder).sort()).toEqual(['file', 'round', 'taken']);
});

test.skipIf(!canMakeSmallDisk())('a full disk keeps the old file, alone', () => {
  const disk = makeSmallDisk(1);
  if (disk === undefined) throw new Error('no small disk');
  const file = path.join(disk.folder, 'spec.yaml');
  writeFileSync(file, 'old');
  expect(() => writeFile(file, 'x'.repeat(4_000_000))).toThrow(/ENOSPC/);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(disk.folder)).toEqual(['spec.yaml']);
  disk.remove();
});
