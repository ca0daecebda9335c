import { once } from 'node:events';
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
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../../test/support/small-disk.ts';
import {
  makeFile,
  makeFileSync,
  makeWholeFileSync,
  replaceFile,
  replaceFileSync,
} from './durable-write.ts';

const scratch = () => mkdtempSync(path.join(tmpdir(), 'durable-write-'));
const modeOf = (file: string) => statSync(file).mode & 0o777;

const REPLACE: readonly [string, typeof replaceFile][] = [
  ['in turn', replaceFile],
  ['at once', async (...given) => replaceFileSync(...given)],
];

const MAKE: readonly [string, typeof makeFile][] = [
  ['in turn', makeFile],
  ['at once', async (file, content, mode) => makeFileSync(file, content, mode)],
  ['whole', async (file, content, mode = 0o600) => makeWholeFileSync(file, content, mode)],
];

test.each(REPLACE)('a link stays a link, and permissions stay (%s)', async (_, replace) => {
  const folder = scratch();
  const file = path.join(folder, 'kept.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o664);
  symlinkSync(file, path.join(folder, 'link.json'));
  await replace(path.join(folder, 'link.json'), 'ü');
  expect(readFileSync(file, 'utf8')).toBe('ü');
  expect(modeOf(file)).toBe(0o664);
  expect(lstatSync(path.join(folder, 'link.json')).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['kept.json', 'link.json']);
});

test.each(REPLACE)('a mode that is given holds, for new files and old (%s)', async (_, replace) => {
  const file = path.join(scratch(), 'key');
  await replace(file, 'one', { mode: 0o600 });
  expect(modeOf(file)).toBe(0o600);
  chmodSync(file, 0o666);
  await replace(file, new Uint8Array([116, 119, 111]), { mode: 0o600 });
  expect(modeOf(file)).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe('two');
});

test.each(REPLACE)(
  'what cannot be put in place leaves nothing beside it (%s)',
  async (_, replace) => {
    const folder = scratch();
    mkdirSync(path.join(folder, 'taken'));
    await expect(replace(path.join(folder, 'taken'), 'x')).rejects.toThrow(
      /EISDIR|EPERM|ENOTEMPTY/,
    );
    await expect(replace(path.join(folder, 'missing', 'x'), 'x')).rejects.toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual(['taken']);
  },
);

test.each(MAKE)('a file that is there is not made again (%s)', async (_, make) => {
  const file = path.join(scratch(), 'once');
  await make(file, 'first', 0o600);
  await expect(make(file, 'second', 0o600)).rejects.toThrow(/EEXIST/);
  expect(readFileSync(file, 'utf8')).toBe('first');
});

test('whoever looks while a file is made whole finds none or all of it', async () => {
  const file = path.join(scratch(), 'key');
  const watcher = new Worker(
    `const { readFileSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage('looking');
    for (;;) {
      try {
        parentPort.postMessage(readFileSync(workerData).length);
        break;
      } catch (error) {
        if (error.code !== 'ENOENT') throw error;
      }
    }`,
    { eval: true, workerData: file },
  );
  await once(watcher, 'message');
  const seen = once(watcher, 'message');
  makeWholeFileSync(file, new Uint8Array(4_000_000), 0o600);
  expect(await seen).toEqual([4_000_000]);
});

test.skipIf(!canMakeSmallDisk()).each(REPLACE)(
  'a full disk keeps the old file, alone (%s)',
  async (_, replace) => {
    const disk = makeSmallDisk(1);
    if (disk === undefined) throw new Error('no small disk');
    const file = path.join(disk.folder, 'spec.yaml');
    writeFileSync(file, 'old');
    await expect(replace(file, 'x'.repeat(4_000_000))).rejects.toThrow(/ENOSPC/);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(disk.folder)).toEqual(['spec.yaml']);
    disk.remove();
  },
);
