import { isUtf8 } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { HeldFolder } from './held-folder.ts';
import { sha256 } from './sha256.ts';
import { NO_FOLLOW, NON_BLOCK } from './tree-folder.ts';

/** How a file is opened whose last name may be no link. */
export const READ_PLAIN = constants.O_RDONLY | NO_FOLLOW | NON_BLOCK;

/** A regular UTF-8 file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`. */
  readonly revision: string;
  /** Permission bits. */
  readonly mode: number;
}

/** All bytes of a file that was just seen with `size` of them: in one reading, as a rule. */
export function readWhole(file: number, size: number): Uint8Array {
  for (let room = size + 1; ; room *= 2) {
    const bytes = new Uint8Array(room);
    const count = readSync(file, bytes, 0, room, 0);
    if (count < room) return bytes.subarray(0, count);
  }
}

/** What an open file holds that was `found` so; undefined when it is no regular UTF-8 file. */
export function readOpen(file: number, found: BigIntStats): ReadFile | undefined {
  if (!found.isFile()) return undefined;
  const bytes = readWhole(file, Number(found.size));
  if (!isUtf8(bytes)) return undefined;
  return { bytes, revision: sha256(bytes), mode: Number(found.mode) & 0o777 };
}

/** A file of a folder that is held, and how it stood before it was read. @throws the system's error */
export function readStanding(
  folder: HeldFolder,
  name: string,
): { readonly found: BigIntStats; readonly content: ReadFile | undefined } {
  const file = openSync(path.join(folder.path, name), READ_PLAIN);
  try {
    const found = fstatSync(file, { bigint: true });
    return { found, content: readOpen(file, found) };
  } finally {
    closeSync(file);
  }
}

/** A regular UTF-8 file of a folder that is held, else undefined. @throws the system's error */
export function readRegular(folder: HeldFolder, name: string): ReadFile | undefined {
  return readStanding(folder, name).content;
}
