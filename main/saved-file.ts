import { stat } from 'node:fs/promises';
import type { SaveProblem } from '../preload/desktop-api.ts';
import { replaceFile } from '../server/files/durable-write.ts';
import { systemCode } from '../server/kernel/system-code.ts';

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

/** Writes a chosen file whole; text as UTF-8. Answers why it could not be written, or null. */
export async function saveFile(
  file: string,
  content: string | Uint8Array,
): Promise<SaveProblem | null> {
  try {
    const older = await stat(file).catch(() => undefined);
    if (older?.isDirectory()) return 'not_a_file';
    await replaceFile(file, content);
    return null;
  } catch (error) {
    return PROBLEMS[systemCode(error) ?? ''] ?? 'not_written';
  }
}
