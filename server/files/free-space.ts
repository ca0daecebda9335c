import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Bytes that the disk of a folder has left for who asks. @throws the system's error */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** As {@link freeBytes}, where nothing may happen meanwhile. */
export function freeBytesSync(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
