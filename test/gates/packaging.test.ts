import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const resources = path.join(root, 'resources');
const onLinux = process.platform === 'linux';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-packaging-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says its name and what it was given. */
function speaker(file: string, name: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nprintf '%s' ${name}; printf ' <%s>' "$@"\n`);
  chmodSync(file, 0o755);
}

function installedCommand(): string {
  const app = path.join(folder, 'opt/App');
  speaker(path.join(app, 'specwright'), 'window');
  speaker(path.join(app, 'resources/node/node'), 'node');
  const launchers = path.join(root, 'scripts/packaging/launchers.mjs');
  const code = `import(${JSON.stringify(launchers)}).then((m) => m.putLauncherFirst(${JSON.stringify(app)}))`;
  execFileSync(process.execPath, ['-e', code]);
  const command = path.join(folder, 'usr/bin/specwright');
  mkdirSync(path.dirname(command), { recursive: true });
  symlinkSync(path.join(app, 'specwright'), command);
  return command;
}

test.skipIf(!onLinux)('the installed command picks between the window and the command line', () => {
  const command = installedCommand();
  const desk = path.join(folder, 'my desk');
  mkdirSync(desk);
  mkdirSync(path.join(desk, 'serve'));
  writeFileSync(path.join(desk, 'a flow.json'), '{}');
  const said = (...words: string[]) =>
    execFileSync(command, words, { cwd: desk, encoding: 'utf8' }).replace(/<\S*server\.mjs>/, '…');

  expect(said()).toBe('window <>');
  expect(said('a flow.json')).toBe('window <a flow.json>');
  expect(said(desk)).toBe(`window <${desk}>`);
  expect(said('file:///a%20b.json')).toBe('window <file:///a%20b.json>');
  expect(said('specwright://runs/1')).toBe('window <specwright://runs/1>');
  expect(said('--data', '/x')).toBe('window <--data> </x>');
  // A word of the command line is one, whatever lies in the folder.
  expect(said('serve', '--data', 'a b')).toBe('node … <serve> <--data> <a b>');
  expect(said('--version')).toBe('node … <--version>');
  expect(said('runs', 'list')).toBe('node … <runs> <list>');
  // What is neither is for the command line to refuse.
  expect(said('nonsense')).toBe('node … <nonsense>');
  // An AppImage puts the switch first where there is no sandbox.
  expect(said('--no-sandbox', 'serve')).toBe('node … <serve>');
  expect(said('--no-sandbox', 'a flow.json')).toBe('window <--no-sandbox> <a flow.json>');
});

test.skipIf(!onLinux)('a library that no package names fails the packing', () => {
  const faults = () =>
    spawnSync(process.execPath, [path.join(root, 'scripts/packaging/libraries.mjs'), folder], {
      encoding: 'utf8',
    });
  copyFileSync(process.execPath, path.join(folder, 'node'));
  expect(faults()).toMatchObject({ status: 0, stdout: '' });

  // The same program, linked to a library that is nobody's.
  const bytes = readFileSync(process.execPath);
  const at = bytes.indexOf('libatomic.so.1\0');
  expect(at).toBeGreaterThan(0);
  bytes.write('libunheard.so1', at, 'latin1');
  writeFileSync(path.join(folder, 'node'), bytes);
  const { status, stdout } = faults();
  expect(status).toBe(1);
  expect(stdout).toContain('libunheard.so1 has no Debian package');
});

function sizeOfPicture(png: Buffer): string {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test('the icons are of the drawing as it stands, in every size that systems ask for', () => {
  const drawing = createHash('sha256').update(readFileSync(path.join(resources, 'icon.svg')));
  expect(readFileSync(path.join(resources, 'icons/drawn-from.sha256'), 'utf8').trim()).toBe(
    drawing.digest('hex'),
  );
  const pictures = readdirSync(path.join(resources, 'icons')).filter((name) =>
    name.endsWith('.png'),
  );
  expect(pictures).toHaveLength(8);
  for (const name of pictures)
    expect(sizeOfPicture(readFileSync(path.join(resources, 'icons', name)))).toBe(
      name.replace('.png', ''),
    );

  const windows = readFileSync(path.join(resources, 'icon.ico'));
  const sizes = Array.from({ length: windows.readUInt16LE(4) }, (_, index) =>
    sizeOfPicture(windows.subarray(windows.readUInt32LE(6 + 16 * index + 12))),
  );
  expect(sizes).toEqual(['16x16', '24x24', '32x32', '48x48', '64x64', '128x128', '256x256']);

  const apple = readFileSync(path.join(resources, 'icon.icns'));
  expect(apple.toString('latin1', 0, 4)).toBe('icns');
  expect(apple.readUInt32BE(4)).toBe(apple.length);
  const kinds: string[] = [];
  for (let at = 8; at < apple.length; at += apple.readUInt32BE(at + 4)) {
    sizeOfPicture(apple.subarray(at + 8));
    kinds.push(apple.toString('latin1', at, at + 4));
  }
  expect(kinds).toContain('ic10');
  expect(new Set(kinds).size).toBe(10);
});

test('what is shipped as a program has its licence among the notices', () => {
  const notices = readFileSync(path.join(resources, 'third-party-notices.txt'), 'utf8');
  // Parts of Node under licences of their own.
  expect(notices).toContain('- OpenSSL, located at deps/openssl');
  expect(notices).toContain('electron\nLicence: MIT');
  expect(existsSync(path.join(root, 'LICENSE'))).toBe(true);
});

test('workflows run actions by the hash of a commit only, and say which version it is', () => {
  const folder = path.join(root, '.github/workflows');
  const used = readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => /^\s*-?\s*uses:/.test(line)),
  );
  expect(used.length).toBeGreaterThan(8);
  for (const line of used)
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
