// What every script needs: where things are, Node 26, child processes, system packages.
// Runs on Node 20 without node_modules, so only built-in modules are imported here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const bin = path.join(root, 'node_modules/.bin');

const windows = process.platform === 'win32';

export function fail(message, code = 1) {
  process.stderr.write(`specwright: ${message}\n`);
  process.exit(code);
}

/** The Node that runs services and tools: the pinned one, or the running one when it is new enough. */
export function modernNode() {
  const pinned = path.join(bin, windows ? 'node.cmd' : 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return fail('Node 22 or newer is needed; run "npm ci" once, which brings it along.');
}

/** The environment in which `node`, `tsc`, `vitest` and the other tools are the pinned ones. */
export function toolEnv(extra = {}) {
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`, ...extra };
}

/** Path of a program that the shell would find; undefined when there is none. */
export function findProgram(name) {
  const folders = `${process.env.PATH ?? ''}${path.delimiter}/usr/sbin`.split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Runs a command to its end with inherited output; answers the exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: toolEnv(),
    shell: windows,
    ...options,
  });
  if (result.error) process.stderr.write(`specwright: ${command}: ${result.error.message}\n`);
  return result.status ?? 1;
}

/** Runs a command and collects what it says; never rejects. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: toolEnv(), shell: windows, ...options });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function installedAsLocked() {
  const hidden = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  for (const [name, entry] of Object.entries(locked)) {
    if (name === '') continue;
    const here = installed[name];
    // Optional packages of other platforms are locked but not installed.
    if (here === undefined ? !entry.optional && !entry.devOptional : here.version !== entry.version)
      return false;
  }
  return existsSync(path.join(bin, windows ? 'node.cmd' : 'node'));
}

/** Installs the locked node modules when they are missing or other than the lock says. */
export function ensureNodeModules() {
  if (Number(process.versions.node.split('.')[0]) < 20) fail('Node 20 or newer is needed.');
  if (installedAsLocked()) return;
  const folder = path.join(root, 'node_modules');
  if (existsSync(folder) && lstatSync(folder).isSymbolicLink()) {
    fail('node_modules is a link to another tree and is not what the lock says; install there.');
  }
  process.stderr.write('Installing node modules…\n');
  const code = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    env: process.env,
  });
  if (code !== 0) fail('"npm ci" failed; see its output above.', code);
}

const asRoot = process.getuid?.() === 0;

function aptName(name) {
  // Newer releases renamed libraries of the 64-bit time transition.
  const renamed = spawnSync('apt-cache', ['show', `${name}t64`], { stdio: 'ignore' });
  return renamed.status === 0 ? `${name}t64` : name;
}

/**
 * Installs Debian packages as root. Otherwise answers the one line to type, or undefined when
 * nothing is left to do. `fixed` names are not looked up under a transition name.
 */
export function installSystemPackages(libraries, fixed = []) {
  if (process.platform !== 'linux' || libraries.length + fixed.length === 0) return undefined;
  const hasApt = existsSync('/usr/bin/apt-get');
  if (!hasApt) return `install: ${[...libraries, ...fixed].join(' ')}`;
  if (!asRoot) {
    const names = [...libraries.map(aptName), ...fixed];
    return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const stdio = ['ignore', 2, 2];
  process.stderr.write(`Installing system packages: ${[...libraries, ...fixed].join(' ')}\n`);
  run('apt-get', ['update', '-qq'], { env, stdio });
  const names = [...libraries.map(aptName), ...fixed];
  const code = run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    env,
    stdio,
  });
  return code === 0 ? undefined : `apt-get install -y ${names.join(' ')}`;
}

const LIBRARY_PACKAGES = [
  ['libgtk-3-0', /libgtk-3|libgdk-3|libatk|libcairo|libpango|libX|libxcb|libxkb/],
  ['libnss3', /libnss3|libnssutil|libsmime|libnspr/],
  ['libasound2', /libasound/],
  ['libgbm1', /libgbm|libdrm/],
  ['libcups2', /libcups/],
  ['libatspi2.0-0', /libatspi|libatk-bridge/],
  ['libnotify4', /libnotify/],
  ['libsecret-1-0', /libsecret/],
];

/** Debian packages of the shared libraries that an executable misses. */
export function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const listed = spawnSync('ldd', [executable], { encoding: 'utf8' });
  const missing = (listed.stdout ?? '')
    .split('\n')
    .filter((line) => line.includes('not found'))
    .map((line) => line.trim().split(' ')[0]);
  if (missing.length === 0) return [];
  // These are loaded by name at run time, so no listing shows them.
  const names = new Set(['libgtk-3-0', 'libnotify4', 'libsecret-1-0']);
  for (const library of missing)
    for (const [name, pattern] of LIBRARY_PACKAGES) if (pattern.test(library)) names.add(name);
  return [...names];
}

/** True when windows can be opened here. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Switches without which Chromium does not start for the super-user. */
export const rootSwitches = process.platform === 'linux' && asRoot ? ['--no-sandbox'] : [];

/**
 * Ends with the child and hands signals on to it. The package manager's shell does not hand them
 * on when it is ended itself, so that a parent that is gone counts as a signal too.
 */
export function follow(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  watch.unref();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}
