// biome-ignore lint/style/noRestrictedImports: makes an empty file, or keeps the one that is there.
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { replaceFileSync } from '../files/durable-write.ts';
import { systemCode } from '../kernel/system-code.ts';

const OTHERS = 0o077;

function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

/** True for a file or folder that is there and that others may do something with. */
export function isOpenToOthers(path: string): boolean {
  return (modeOf(path) & OTHERS) !== 0;
}

/** Takes from a file or folder that is there what others may do with it. */
export function closeToOthers(path: string): void {
  if (isOpenToOthers(path)) chmodSync(path, modeOf(path) & 0o700);
}

/** Replaces a file by one that its owner alone can read; nobody sees half of it. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  replaceFileSync(file, content, { mode: 0o600 });
}

/** Makes a file that its owner alone can read; one that is there keeps what it holds. */
export function makePrivateFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // Opened and closed again it would lose the locks that this process holds on it.
    closeToOthers(file);
  }
}
