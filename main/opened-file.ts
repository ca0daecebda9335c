import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { MAX_OPENED_FILE_BYTES, type OpenedFile } from '../preload/desktop-api.ts';

function decode(bytes: Buffer): Pick<OpenedFile, 'text' | 'problem'> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), problem: null };
  } catch {
    return { text: null, problem: 'not_utf8' };
  }
}

/** Reads a file for the window: UTF-8 text within the cap, or the reason why not. */
export async function readOpenedFile(file: string): Promise<OpenedFile> {
  const name = path.basename(file);
  let size = 0;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const stat = await handle.stat();
    size = stat.size;
    if (!stat.isFile()) return { name, size, text: null, problem: 'unreadable' };
    if (size > MAX_OPENED_FILE_BYTES) return { name, size, text: null, problem: 'too_large' };
    return { name, size, ...decode(await handle.readFile()) };
  } catch {
    return { name, size, text: null, problem: 'unreadable' };
  } finally {
    await handle?.close();
  }
}
