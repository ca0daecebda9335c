import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'data-folder-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

function folder(name: string, files: readonly string[], mode = 0o755): string {
  const made = path.join(base, name);
  mkdirSync(made);
  for (const file of files) {
    mkdirSync(path.dirname(path.join(made, file)), { recursive: true });
    writeFileSync(path.join(made, file), '');
  }
  chmodSync(made, mode);
  return made;
}

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test.for<[name: string, files: string[]]>([
  ['an empty folder', []],
  ['a folder of an older version', ['platform.db', 'notes.txt']],
  ['a folder of a studio', ['studio/studio.db']],
])('%s is closed to others', ([name, files]) => {
  const ours = folder(name, files);
  prepareDataFolder(ours, {});
  expect(modeOf(ours)).toBe(0o700);
});

test('a folder with other files stays as it is, and the line names one to take', () => {
  const foreign = folder('work', ['thesis.txt', 'studio/paint.txt', 'logs/of-mine.txt']);
  expect(() => prepareDataFolder(foreign, {})).toThrow(
    `Give --data ${path.join(foreign, 'specwright')}, or close it yourself (chmod 700).`,
  );
  expect(modeOf(foreign)).toBe(0o755);
  chmodSync(foreign, 0o700);
  prepareDataFolder(foreign, {});
});

test('the home folder, and what holds it, is never closed, store or not', () => {
  const home = folder('me', ['platform.db']);
  chmodSync(base, 0o755);
  vi.stubEnv('HOME', home);
  expect(homedir()).toBe(home);
  for (const taken of [home, base]) {
    expect(() => prepareDataFolder(taken, {})).toThrow('not your home folder');
    expect(modeOf(taken)).toBe(0o755);
  }
});

test("the shell's own folder is closed although the shell keeps other files there", () => {
  const shell = folder('shell', ['Preferences', 'window.json']);
  prepareDataFolder(shell, { SPECWRIGHT_SHELL_FOLDER: shell });
  expect(modeOf(shell)).toBe(0o700);
});
