// The tools of electron-builder's AppImage target for a machine that cannot reach their bundle: two
// programs of Debian, and the runtime that a Rust crate brings along. Older than the released one, it
// wants FUSE 2 or --appimage-extract-and-run; only packages for tests are made with it.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capture, findProgram } from '../toolchain.mjs';
import { cacheFolder } from './cache.mjs';

const CRATE = { name: 'appimage', version: '0.4.0' };
const RUNTIME_HASH = '328e0d745c5c6817048c27bc3e8314871703f8f47ffa81a37cb06cd95a94b323';

function isRuntime(file) {
  if (!existsSync(file)) return false;
  return createHash('sha256').update(readFileSync(file)).digest('hex') === RUNTIME_HASH;
}

/** Copies the runtime out of the crate; answers why it could not. */
async function fetchRuntime(target) {
  if (findProgram('cargo') === undefined)
    return 'its runtime file comes from a bundle that is not reached from here, and there is no cargo to take it from a crate';
  const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-appimage-'));
  try {
    mkdirSync(path.join(scratch, 'src'));
    writeFileSync(path.join(scratch, 'src/lib.rs'), '');
    writeFileSync(
      path.join(scratch, 'Cargo.toml'),
      `[package]\nname = "runtime"\nversion = "0.0.0"\n[dependencies]\n${CRATE.name} = "=${CRATE.version}"\n`,
    );
    const words = ['vendor', '--quiet', '--versioned-dirs', 'vendor'];
    const { output } = await capture('cargo', words, { cwd: scratch });
    const folder = `${CRATE.name}-${CRATE.version}`;
    const file = path.join(scratch, 'vendor', folder, 'assets/runtime-x86_64');
    if (!existsSync(file))
      return `its runtime could not be fetched: ${output.trim().slice(0, 200)}`;
    if (!isRuntime(file)) return 'the hash of its runtime is not the pinned one';
    copyFileSync(file, target);
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The folder for APPIMAGE_TOOLS_PATH, or why there is none. */
export async function appImageTools() {
  if (process.arch !== 'x64') return { reason: 'its runtime is at hand for x64 only' };
  const folder = path.join(cacheFolder(), 'appimage-tools');
  mkdirSync(path.join(folder, 'runtimes'), { recursive: true });
  mkdirSync(path.join(folder, 'lib/x64'), { recursive: true });
  for (const name of ['mksquashfs', 'desktop-file-validate']) {
    const program = findProgram(name);
    if (program === undefined) return { reason: `${name} is not installed` };
    rmSync(path.join(folder, name), { force: true });
    symlinkSync(program, path.join(folder, name));
  }
  const runtime = path.join(folder, 'runtimes/runtime-x64');
  const reason = isRuntime(runtime) ? undefined : await fetchRuntime(runtime);
  return reason === undefined ? { folder } : { reason };
}
