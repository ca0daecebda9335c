// The files of a package as they will lie on the disk, the same whoever builds them and when.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';

/** Seconds of the epoch that every file is dated by: those of the commit (scripts/package.mjs). */
export function buildSeconds() {
  const given = Number(process.env.SOURCE_DATE_EPOCH);
  if (!Number.isInteger(given) || given <= 0) throw new Error('SOURCE_DATE_EPOCH is not set');
  return given;
}

/** Gives everything below a file or folder the date of the build and modes free of any umask. */
export function settle(file, seconds = buildSeconds()) {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) {
    lutimesSync(file, seconds, seconds);
    return;
  }
  if (stat.isDirectory())
    for (const name of readdirSync(file)) settle(path.join(file, name), seconds);
  chmodSync(file, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  utimesSync(file, seconds, seconds);
}

/** Lays fpm's `SOURCE=DESTINATION` words out below `target`, and the command in the PATH. */
export function stageInputs({ inputs, single }, target) {
  for (const input of inputs) {
    const equals = input.lastIndexOf('=');
    const source = input.slice(0, equals);
    const destination = path.join(target, input.slice(equals + 1));
    if (source.endsWith('/') || statSync(source).isDirectory()) {
      cpSync(source, destination, { recursive: true, verbatimSymlinks: true });
    } else {
      mkdirSync(path.dirname(destination), { recursive: true });
      copyFileSync(source, destination);
      chmodSync(destination, 0o644);
    }
  }
  const commands = path.join(target, 'usr/bin');
  mkdirSync(commands, { recursive: true });
  const [folder] = readdirSync(path.join(target, 'opt'));
  symlinkSync(`/opt/${folder}/${single.name}`, path.join(commands, single.name));
  settle(target);
}

/** Bytes of everything below a file or folder. */
export function sizeOf(file) {
  const stat = lstatSync(file);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
}

/** Version as packages write it, with the number of the packaging where there is one. */
export function packageVersion({ version, iteration }) {
  return `${version}${iteration ? `-${iteration}` : ''}`;
}

/** How hard to compress: `gz` in a hurry (scripts/package.mjs --fast), else the smallest. */
export function compressionAsked() {
  return process.env.SPECWRIGHT_COMPRESSION ?? 'xz';
}
