import { realpath, stat } from 'node:fs/promises';
import { sha256Hex } from '../../kernel/sha256.ts';

/**
 * Identity of a project's folder (studio.md 6.7): device, file number and real path, so that
 * another folder put in its place is noticed. An unreachable root has an identity of its own.
 */
export async function rootIdentity(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    const found = await stat(real, { bigint: true });
    if (!found.isDirectory()) return sha256Hex(`unreachable:${root}`);
    return sha256Hex(`${found.dev}:${found.ino}:${real}`);
  } catch {
    return sha256Hex(`unreachable:${root}`);
  }
}
