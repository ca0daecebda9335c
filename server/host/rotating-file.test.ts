import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRotatingFile } from './rotating-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ROW = `${'x'.repeat(99)}\n`;

test('a log turns over by size while it is written, and few files are kept', async () => {
  const file = path.join(folder, 'services.log');
  const log = openRotatingFile(file, { maxBytes: 1000, kept: 2 });
  for (let index = 0; index < 200; index += 1) {
    log.write(ROW);
    if (index % 20 === 0) await sleep(5);
  }
  await expect.poll(() => readdirSync(folder).length).toBe(3);
  await sleep(50);
  for (const name of readdirSync(folder)) {
    const { size, mode } = statSync(path.join(folder, name));
    expect(size).toBeLessThanOrEqual(1000);
    expect(mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, name), 'utf8').split('\n').at(0)).toBe(ROW.trimEnd());
  }
});

test('a file that was large at the start is turned over with the first line', async () => {
  const file = path.join(folder, 'a.log');
  writeFileSync(file, ROW.repeat(10));
  openRotatingFile(file, { maxBytes: 1000, kept: 1 }).write(ROW);
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(ROW);
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(ROW.repeat(10));
});

test('a folder that is not there costs the lines only', async () => {
  const log = openRotatingFile(path.join(folder, 'none', 'a.log'), { maxBytes: 1000, kept: 1 });
  expect(() => log.write(ROW)).not.toThrow();
});
