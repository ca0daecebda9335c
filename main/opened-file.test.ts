import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MAX_OPENED_FILE_BYTES } from '../preload/desktop-api.ts';
import { readOpenedFile } from './opened-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'specwright-files-'));
const write = (name: string, content: string | Buffer) => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

test('an archive comes as its bytes, for the window to take apart', async () => {
  const read = await readOpenedFile(write('exports.ZIP', Buffer.from([0x50, 0x4b, 5, 6, 0xff])));
  expect(read).toEqual({
    name: 'exports.ZIP',
    size: 5,
    text: null,
    problem: null,
    archive: new Uint8Array([0x50, 0x4b, 5, 6, 0xff]),
  });
});

test('text is read, everything else is named and not read', async () => {
  const big = write('big.json', '');
  truncateSync(big, MAX_OPENED_FILE_BYTES + 1);
  const seen = await Promise.all(
    [
      write('a.json', '{"ü":1}'),
      write('latin.json', Buffer.from([0xff, 0xfe])),
      big,
      path.join(folder, 'missing.json'),
      folder,
    ].map(readOpenedFile),
  );
  expect(seen.map(({ name, text, problem }) => [name, text, problem])).toEqual([
    ['a.json', '{"ü":1}', null],
    ['latin.json', null, 'not_utf8'],
    ['big.json', null, 'too_large'],
    ['missing.json', null, 'unreadable'],
    [path.basename(folder), null, 'unreadable'],
  ]);
});
