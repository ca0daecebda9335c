import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Disk } from './disk.ts';
import { sha256 } from './sha256.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'disk-'));
  writeFileSync(path.join(root, 'small.yaml'), 'small');
  writeFileSync(path.join(root, 'large.yaml'), '');
  truncateSync(path.join(root, 'large.yaml'), 64 * 1024 * 1024);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('work comes back with what it made, a failure with the code of the system', async () => {
  const disk = new Disk();
  const [read, standing] = await Promise.all([
    disk.run('read', root, 'small.yaml'),
    disk.run('standing', root, 'none.yaml'),
  ]);
  expect(read?.revision).toBe(sha256('small'));
  expect(Buffer.from(read?.bytes ?? []).toString()).toBe('small');
  expect(standing).toBe('absent');
  await expect(disk.run('standing', root, 'small.yaml/x')).rejects.toMatchObject({
    code: 'ENOTDIR',
    message: expect.stringContaining('ENOTDIR'),
  });
  const gone = path.join(root, 'gone');
  await expect(disk.run('create', gone, 'a.yaml', Buffer.from('x'), 0o644)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('a file that the disk is long at holds up nobody', async () => {
  const disk = new Disk(0);
  const read = (name: string) => disk.run('read', root, name);
  // So that both threads are up.
  await Promise.all([read('large.yaml'), read('small.yaml')]);
  const done: string[] = [];
  const note = (name: string) => read(name).then(() => done.push(name));
  await Promise.all([note('large.yaml'), note('small.yaml')]);
  expect(done).toEqual(['small.yaml', 'large.yaml']);
});
