// Which shared libraries the packaged programs are linked to, and whether the packages name them.
// node scripts/packaging/libraries.mjs FOLDER says what the packages of a folder lack.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { root } from '../toolchain.mjs';

/** Packages of Debian and Ubuntu by library; of several names the one of the newer release first. */
const DEBIAN = new Map([
  ['ld-linux-aarch64.so.1', 'libc6'],
  ['ld-linux-x86-64.so.2', 'libc6'],
  ['libasound.so.2', 'libasound2t64 | libasound2'],
  ['libatk-1.0.so.0', 'libatk1.0-0t64 | libatk1.0-0'],
  ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0t64 | libatk-bridge2.0-0'],
  ['libatomic.so.1', 'libatomic1'],
  ['libatspi.so.0', 'libatspi2.0-0t64 | libatspi2.0-0'],
  ['libc.so.6', 'libc6'],
  ['libcairo.so.2', 'libcairo2'],
  ['libcups.so.2', 'libcups2t64 | libcups2'],
  ['libdbus-1.so.3', 'libdbus-1-3'],
  ['libdl.so.2', 'libc6'],
  ['libdrm.so.2', 'libdrm2'],
  ['libexpat.so.1', 'libexpat1'],
  ['libgbm.so.1', 'libgbm1'],
  ['libgcc_s.so.1', 'libgcc-s1'],
  ['libgio-2.0.so.0', 'libglib2.0-0t64 | libglib2.0-0'],
  ['libglib-2.0.so.0', 'libglib2.0-0t64 | libglib2.0-0'],
  ['libgobject-2.0.so.0', 'libglib2.0-0t64 | libglib2.0-0'],
  ['libgtk-3.so.0', 'libgtk-3-0t64 | libgtk-3-0'],
  ['libm.so.6', 'libc6'],
  ['libnotify.so.4', 'libnotify4'],
  ['libnspr4.so', 'libnspr4'],
  ['libnss3.so', 'libnss3'],
  ['libnssutil3.so', 'libnss3'],
  ['libpango-1.0.so.0', 'libpango-1.0-0'],
  ['libpthread.so.0', 'libc6'],
  ['librt.so.1', 'libc6'],
  ['libsecret-1.so.0', 'libsecret-1-0'],
  ['libsmime3.so', 'libnss3'],
  ['libstdc++.so.6', 'libstdc++6'],
  ['libudev.so.1', 'libudev1'],
  ['libX11.so.6', 'libx11-6'],
  ['libX11-xcb.so.1', 'libx11-xcb1'],
  ['libxcb.so.1', 'libxcb1'],
  ['libXcomposite.so.1', 'libxcomposite1'],
  ['libXdamage.so.1', 'libxdamage1'],
  ['libXext.so.6', 'libxext6'],
  ['libXfixes.so.3', 'libxfixes3'],
  ['libxkbcommon.so.0', 'libxkbcommon0'],
  ['libXrandr.so.2', 'libxrandr2'],
]);

/**
 * Loaded by name at run time, so that no listing shows them: notifications, the keychain, and the
 * display, without which the window ends at once and says nothing.
 */
const LOADED_BY_NAME = ['libnotify.so.4', 'libsecret-1.so.0', 'libX11-xcb.so.1'];

const ELF = 0x464c457f;
const SEGMENT = { load: 1, dynamic: 2 };
const TAG = { needed: 1, strings: 5 };

/** The segments of a 64-bit little-endian ELF file. */
function segmentsOf(bytes) {
  const start = Number(bytes.readBigUInt64LE(32));
  const [size, count] = [bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      type: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: Number(bytes.readBigUInt64LE(at + 16)),
      length: Number(bytes.readBigUInt64LE(at + 32)),
    };
  });
}

/** Names of the libraries that an ELF file is linked to; undefined for any other file. */
function neededLibraries(bytes) {
  if (bytes.length < 64 || bytes.readUInt32LE(0) !== ELF || bytes[4] !== 2) return undefined;
  const segments = segmentsOf(bytes);
  const dynamic = segments.find(({ type }) => type === SEGMENT.dynamic);
  if (dynamic === undefined) return [];
  const entries = Array.from({ length: dynamic.length / 16 }, (_, index) => ({
    tag: Number(bytes.readBigUInt64LE(dynamic.offset + index * 16)),
    value: Number(bytes.readBigUInt64LE(dynamic.offset + index * 16 + 8)),
  }));
  const address = entries.find(({ tag }) => tag === TAG.strings)?.value ?? 0;
  const home = segments.find(
    (one) =>
      one.type === SEGMENT.load && address >= one.address && address < one.address + one.length,
  );
  const strings = address - (home?.address ?? 0) + (home?.offset ?? 0);
  return entries
    .filter(({ tag }) => tag === TAG.needed)
    .map(({ value }) =>
      bytes.toString('latin1', strings + value, bytes.indexOf(0, strings + value)),
    );
}

/** Libraries that the programs below a folder want of the system. */
function wantedLibraries(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const own = new Set(files.map(({ name }) => name));
  const wanted = new Set(LOADED_BY_NAME);
  for (const { name, parentPath } of files) {
    for (const library of neededLibraries(readFileSync(path.join(parentPath, name))) ?? [])
      if (!own.has(library)) wanted.add(library);
  }
  return [...wanted].sort();
}

const packagesOf = (line) => line.split('|').map((one) => one.trim().split(' ')[0]);

/** What the lists of the packages lack, one line each. */
function missingDepends(wanted, { deb, rpm }) {
  const named = new Set(deb.flatMap(packagesOf));
  return wanted.flatMap((library) => {
    const debian = DEBIAN.get(library);
    if (debian === undefined)
      return [`${library} has no Debian package in scripts/packaging/libraries.mjs`];
    const lines = packagesOf(debian).every((name) => named.has(name))
      ? []
      : [`deb.depends lacks "${debian}" for ${library}`];
    const capability = `${library}()(64bit)`;
    const isLoader = library.startsWith('ld-linux');
    return isLoader || rpm.includes(capability)
      ? lines
      : [...lines, `rpm.depends lacks "${capability}"`];
  });
}

/** What electron-builder.yml lacks for the programs below a folder, one line each. */
export function libraryFaults(folder) {
  const { deb, rpm } = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'));
  return missingDepends(wantedLibraries(folder), { deb: deb.depends, rpm: rpm.depends });
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const faults = libraryFaults(process.argv[2] ?? '.');
  process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
  process.exit(faults.length === 0 ? 0 : 1);
}
