import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { freeBytes } from '../files/free-space.ts';

/** Less than this is no room: a commit and the growth of the log behind it would fail. Bytes. */
const LEAST_ROOM = 256 * 1024;

/** Whether a store in this file can be written: its disk has room and takes writes. */
export async function hasDiskRoom(file: string): Promise<boolean> {
  if (file === ':memory:') return true;
  try {
    await access(file, constants.W_OK);
    return (await freeBytes(path.dirname(file))) >= LEAST_ROOM;
  } catch {
    return false;
  }
}
