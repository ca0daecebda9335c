import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

const OTHERS = 0o077;

/** Takes from a file or folder that is there what others may do with it. */
export function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
}

/** Replaces a file by one that its owner alone can read; nobody sees half of it. */
export function writePrivateFile(file: string, text: string): void {
  const beside = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Makes a file that its owner alone can read; one that is there keeps what it holds. */
export function makePrivateFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Opened and closed again it would lose the locks that this process holds on it.
    closeToOthers(file);
  }
}
