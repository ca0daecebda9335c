import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogPage } from '../../preload/desktop-api.ts';
import { createLogFile, type LogFile } from '../log-file.ts';
import { pageAfter, pageBefore } from './log-pages.ts';

let folder: string;
let log: LogFile;
const file = () => path.join(folder, 'logs', 'shell.log');
const open = () => createLogFile(file(), () => new Date('2026-01-02T03:04:05.678Z'));
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-log-'));
  log = open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const numbers = ({ lines }: LogPage): number[] => lines.map(({ text }) => Number(text.slice(5)));
const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** About 7 MiB in lines of uneven length, over both files. */
function writeMany(count: number): void {
  for (let at = 0; at < count; at += 1) {
    const pad = 'x'.repeat(200 + (at % 97));
    log.write(`${JSON.stringify({ level: 30, msg: `line ${at}`, pad })}\n`);
  }
}

async function allBack(): Promise<{ pages: number; found: number[] }> {
  const found: number[] = [];
  let pages = 0;
  let before: number | null = null;
  do {
    const page: LogPage = await pageBefore(log.spans(), before);
    found.unshift(...numbers(page));
    pages += 1;
    before = page.earlier;
  } while (before !== null);
  return { pages, found };
}

test('a log over two files is read back page by page, each line once and whole', async () => {
  writeMany(22_000);
  const { pages, found } = await allBack();
  expect(found).toEqual(from(0, 22_000));
  expect(pages).toBeGreaterThan(20);
  // Another start counts from the files that it finds, and reads the same.
  log = open();
  expect((await allBack()).found).toEqual(found);
});

test('a place in the log stays the same when its file turns over', async () => {
  log.note('info', 'line 1');
  const { end } = await pageBefore(log.spans(), null);
  writeMany(15_000);
  let at = end;
  const found: number[] = [];
  for (;;) {
    const page = await pageAfter(log.spans(), at);
    if (page.end === at) break;
    found.push(...numbers(page));
    at = page.end;
  }
  expect(found).toEqual(from(0, 15_000));
});

test('a line that is being written comes when it is whole', async () => {
  log.note('info', 'line 1');
  log.write('{"level":30,"msg":"li');
  const first = await pageBefore(log.spans(), null);
  expect(numbers(first)).toEqual([1]);
  expect(numbers(await pageAfter(log.spans(), first.end))).toEqual([]);
  log.write('ne 2"}\n');
  expect(numbers(await pageAfter(log.spans(), first.end))).toEqual([2]);
});

test('an empty log and a file that is gone are empty pages', async () => {
  expect(await pageBefore(log.spans(), null)).toEqual({ lines: [], earlier: null, end: 0 });
  log.note('info', 'line 1');
  rmSync(file());
  expect(
    (await pageBefore(log.spans(), null)).lines.filter(({ text }) => /line/.test(text)),
  ).toEqual([]);
});

test('a line longer than a page does not stop the reader', async () => {
  log.note('info', 'line 1');
  log.write(`${'y'.repeat(700_000)}\n`);
  log.note('info', 'line 2');
  const texts: string[] = [];
  let before: number | null = null;
  for (let pages = 0; pages < 10; pages += 1) {
    const page: LogPage = await pageBefore(log.spans(), before);
    texts.unshift(...page.lines.map(({ text }) => text.slice(0, 6)));
    before = page.earlier;
    if (before === null) break;
  }
  expect(before).toBeNull();
  expect(texts.at(0)).toBe('line 1');
  expect(texts.at(-1)).toBe('line 2');
});
