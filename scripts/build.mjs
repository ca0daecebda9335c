// Builds out/ when its inputs changed since the last build. The stamp holds a hash of their
// contents, so that a checkout of another branch and back costs nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bin, fail, root, run } from './toolchain.mjs';

const INPUTS = [
  'main',
  'preload',
  'renderer',
  'server',
  'electron.vite.config.ts',
  'package-lock.json',
  'tsconfig.json',
];
const IGNORED = /\.test\.tsx?$|tsconfig\.tsbuildinfo$|^\./;
const OUTPUTS = ['main/index.mjs', 'main/server.mjs', 'preload/index.cjs', 'renderer/index.html'];
const stamp = path.join(root, 'out/.inputs');

function* filesOf(file) {
  const entries = readdirSync(path.join(root, file), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (IGNORED.test(entry.name)) continue;
    const child = `${file}/${entry.name}`;
    if (entry.isDirectory()) yield* filesOf(child);
    else yield child;
  }
}

function* inputs() {
  for (const input of INPUTS) {
    if (path.extname(input) === '') yield* filesOf(input);
    else yield input;
  }
}

/** SHA-256 over the names and contents of everything that the build reads. */
export function inputsHash() {
  const hash = createHash('sha256');
  for (const file of inputs())
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function isCurrent(hash) {
  const built = OUTPUTS.every((file) => existsSync(path.join(root, 'out', file)));
  return built && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** Builds when stale. The builder's output goes to standard error and only when it matters. */
export function ensureBuild() {
  const hash = inputsHash();
  if (isCurrent(hash)) return;
  process.stderr.write('Building…\n');
  rmSync(stamp, { force: true });
  const builder = path.join(
    bin,
    process.platform === 'win32' ? 'electron-vite.cmd' : 'electron-vite',
  );
  const code = run(builder, ['build', '--logLevel', 'warn'], { stdio: ['ignore', 2, 2] });
  if (code !== 0) fail('the build failed; see its output above.', code);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}
