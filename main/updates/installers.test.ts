import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appImageInstaller } from './appimage-installer.ts';
import { chooseMeans } from './choose-installer.ts';
import { tarInstaller, unpackedBase } from './tar-installer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'installers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LAUNCHER = path.resolve(import.meta.dirname, '../../scripts/packaging/launcher.sh');

/** A program that says its version, behind the launcher that every package has. */
function makeProgram(target: string, version: string, ballast = 0): void {
  const resources = path.join(target, 'resources/app.asar.unpacked');
  mkdirSync(resources, { recursive: true });
  writeFileSync(path.join(resources, 'package.json'), JSON.stringify({ version }));
  const window = path.join(target, 'window');
  writeFileSync(window, `#!/bin/sh\necho "${version} $*"\n`);
  const launcher = path.join(target, 'specwright');
  writeFileSync(launcher, readFileSync(LAUNCHER, 'utf8').replace('@WINDOW@', 'window'));
  for (const file of [window, launcher]) chmodSync(file, 0o755);
  if (ballast > 0) writeFileSync(path.join(target, 'ballast'), Buffer.alloc(ballast, 'x'));
}

function makePackage(version: string, ballast = 0): string {
  const name = `specwright-${version}`;
  makeProgram(path.join(folder, name), version, ballast);
  const file = path.join(folder, `${name}.tar.gz`);
  execFileSync('tar', ['-czf', file, '-C', folder, name]);
  return file;
}

const base = () => path.join(folder, 'app');
const starts = (...words: string[]) =>
  execFileSync(path.join(base(), 'specwright'), words, { encoding: 'utf8' }).trim();

describe('a folder that was unpacked from a tar.gz', () => {
  beforeEach(() => makeProgram(base(), '1.0.0'));

  test('starts the installed version, goes back to any that is kept, and drops the others', async () => {
    const installer = tarInstaller(base());
    for (const version of ['1.1.0', '1.2.0']) {
      const file = makePackage(version);
      await installer.prepare(file, version);
      await installer.install(file, version, false);
      expect(starts('--x', 'y z')).toBe(`${version} --x y z`);
    }
    expect(await installer.keeps('1.1.0')).toBe(true);
    await installer.goBack('1.1.0');
    expect(starts()).toBe('1.1.0');
    await installer.tidy(['1.1.0']);
    expect(readdirSync(path.join(base(), '.versions'))).toEqual(['1.1.0']);
    expect(await installer.keeps('1.2.0')).toBe(false);
    await installer.goBack('1.0.0');
    expect(starts()).toBe('1.0.0');
    expect(unpackedBase(path.join(base(), '.versions/1.1.0'))).toBe(base());
    expect(unpackedBase(base())).toBe(base());
  });

  test('what is no whole program of that version is refused, and what runs stays', async () => {
    const installer = tarInstaller(base());
    const file = makePackage('1.1.0');
    await expect(installer.prepare(file, '1.2.0')).rejects.toMatchObject({
      code: 'package_broken',
    });
    const cut = path.join(folder, 'cut.tar.gz');
    writeFileSync(cut, readFileSync(file).subarray(0, 200));
    await expect(installer.prepare(cut, '1.1.0')).rejects.toMatchObject({ code: 'package_broken' });
    expect(readdirSync(path.join(base(), '.versions'))).toEqual([]);
    expect(starts()).toBe('1.0.0');
  });

  test('killed at any moment of unpacking and installing, one whole version starts', async () => {
    const file = makePackage('1.1.0', 60_000_000);
    const script = `
      import { tarInstaller } from ${JSON.stringify(path.resolve(import.meta.dirname, 'tar-installer.ts'))};
      const installer = tarInstaller(${JSON.stringify(base())});
      process.stdout.write('begun');
      await installer.prepare(${JSON.stringify(file)}, '1.1.0');
      for (;;) await installer.install(${JSON.stringify(file)}, '1.1.0', false);
    `;
    for (const wait of [5, 60, 250, 900]) {
      rmSync(path.join(base(), '.versions'), { recursive: true, force: true });
      rmSync(path.join(base(), 'current'), { force: true });
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(['1.0.0', '1.1.0']).toContain(starts());
    }
    const installer = tarInstaller(base());
    await installer.prepare(file, '1.1.0');
    await installer.install(file, '1.1.0', false);
    expect(starts()).toBe('1.1.0');
    await installer.tidy(['1.1.0']);
    expect(readdirSync(path.join(base(), '.versions'))).toEqual(['1.1.0']);
  });

  test('a name that leads elsewhere, or a version that is gone, starts what was unpacked', () => {
    for (const name of ['../../evil', '.hidden', '9.9.9', '', 'a b']) {
      writeFileSync(path.join(base(), 'current'), `${name}\n`);
      expect(starts()).toBe('1.0.0');
    }
  });
});

test('an AppImage is replaced in one step; the one before lies beside it and comes back', async () => {
  const program = path.join(folder, 'Specwright.AppImage');
  writeFileSync(program, 'one');
  const file = path.join(folder, 'downloaded');
  writeFileSync(file, 'two');
  const installer = appImageInstaller(program, '1.0.0');
  await installer.prepare(file, '1.1.0');
  expect(readFileSync(program, 'utf8')).toBe('one');
  await installer.install(file, '1.1.0', false);
  expect(readFileSync(program, 'utf8')).toBe('two');
  expect(await installer.keeps('1.0.0')).toBe(true);
  copyFileSync(program, path.join(folder, '.Specwright.AppImage.0.9.0'));
  const next = appImageInstaller(program, '1.1.0');
  await next.tidy(['1.0.0', '1.1.0']);
  expect(existsSync(path.join(folder, '.Specwright.AppImage.0.9.0'))).toBe(false);
  await next.goBack('1.0.0');
  expect(readFileSync(program, 'utf8')).toBe('one');
  await expect(next.goBack('0.9.0')).rejects.toMatchObject({ code: 'not_gone_back' });
});

describe('how a program updates itself', () => {
  const manifest = { name: 'specwright', updates: { url: 'https://x.example', keys: ['MCow'] } };
  const program = () => ({
    packaged: true,
    platform: 'linux',
    version: '1.0.0',
    executable: path.join(base(), 'window'),
    resourcesFolder: path.join(base(), 'resources'),
    appImage: undefined,
    manifest,
  });
  beforeEach(() => makeProgram(base(), '1.0.0'));

  test('by its form', async () => {
    const formOf = async (part: object) =>
      (await chooseMeans({ ...program(), ...part })).installer?.form;
    expect(await formOf({})).toBe('tar.gz');
    expect(await formOf({ appImage: path.join(folder, 'X.AppImage') })).toBe('AppImage');
    writeFileSync(path.join(base(), 'resources/package-type'), 'deb\n');
    expect(await formOf({})).toBe('deb');
  });

  test('not at all, and why', async () => {
    const why = async (part: object) => (await chooseMeans({ ...program(), ...part })).whyNot;
    expect(await why({ packaged: false })).toMatch(/checkout/);
    expect(await why({ manifest: { name: 'x' } })).toMatch(/no key/);
    const plain = { url: 'http://x.example', keys: ['MCow'] };
    expect(await why({ manifest: { name: 'x', updates: plain } })).toMatch(/no key/);
    const noKeys = { url: 'https://x.example', keys: [] };
    expect(await why({ manifest: { name: 'x', updates: noKeys } })).toMatch(/no key/);
    expect(await why({ platform: 'darwin' })).toMatch(/macOS/);
    expect(await why({ platform: 'win32' })).toMatch(/zip/);
    expect(await why({ executable: '/nowhere/at/all' })).toMatch(/cannot be written/);
  });
});
