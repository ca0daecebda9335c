import { randomUUID } from 'node:crypto';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SaveProblem } from '../preload/desktop-api.ts';

const PROBLEMS: Readonly<Record<string, SaveProblem>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EACCES: 'not_permitted',
  EPERM: 'not_permitted',
  EROFS: 'not_permitted',
  EISDIR: 'not_a_file',
  ENOTDIR: 'not_a_file',
};

function problemOf(error: unknown): SaveProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? 'not_written';
}

/**
 * Writes a chosen file whole, as UTF-8: it is made beside its place and put there when all of it
 * is on the disk, so that nobody reads half of it and a failure keeps the old one. A link stays a
 * link, an older file's permissions stay. Answers why it could not be written, or null.
 */
export async function saveFile(file: string, text: string): Promise<SaveProblem | null> {
  const target = await realpath(file).catch(() => file);
  const beside = path.join(path.dirname(target), `.${randomUUID()}.new`);
  try {
    const older = await stat(target).catch(() => undefined);
    if (older?.isDirectory()) return 'not_a_file';
    const mode = older === undefined ? 0o644 : older.mode & 0o777;
    await writeFile(beside, text, { flag: 'wx', flush: true, mode });
    if (older !== undefined) await chmod(beside, mode);
    await rename(beside, target);
    return null;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    return problemOf(error);
  }
}
