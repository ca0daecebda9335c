import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { threadFile } from './thread-file.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NAMES = ['execution-thread', 'wal-thread'] as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thread-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('in a checkout the entry stands beside its starter', () => {
  for (const [name, room] of [
    ['execution-thread', 'platform/service'],
    ['wal-thread', 'store'],
  ] as const) {
    const found = threadFile(name, path.join(ROOT, 'server', room));
    expect(found).toBe(path.join(ROOT, 'server', room, `${name}.ts`));
  }
});

test.each(NAMES)(
  'in a build %s stands at the top, for starters at the top and in a chunk',
  (name) => {
    const top = path.join(folder, 'app.asar.unpacked/out/main');
    mkdirSync(path.join(top, 'chunks'), { recursive: true });
    const entry = path.join(top, `${name}.mjs`);
    writeFileSync(entry, '');
    expect(threadFile(name, top)).toBe(entry);
    expect(threadFile(name, path.join(top, 'chunks'))).toBe(entry);
  },
);

test('a program that was put together without the thread has no file of it', () => {
  expect(threadFile('execution-thread', folder)).toBeUndefined();
});

test('every thread entry and the chunks it shares are outside the archive of a packaged program', () => {
  const { asarUnpack } = parse(readFileSync(path.join(ROOT, 'electron-builder.yml'), 'utf8'));
  expect(asarUnpack).toEqual(
    expect.arrayContaining(['out/main/server.mjs', 'out/main/*-thread.mjs', 'out/main/chunks/**']),
  );
  const entries = readdirSync(path.join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.basename(file))
    .filter((file) => file.endsWith('-thread.ts'));
  expect(entries).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.ts`)));
});
