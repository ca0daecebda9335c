import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { MAX_OPENED_FILE_BYTES, type ShellFile } from '../preload/desktop-api.ts';

type Content = Pick<ShellFile, 'text' | 'problem' | 'archive'>;

const UNREADABLE: Content = { text: null, problem: 'unreadable', archive: null };

function decode(bytes: Buffer): Content {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, problem: null, archive: null };
  } catch {
    return { text: null, problem: 'not_utf8', archive: null };
  }
}

/** Reads a file for the window: UTF-8 text or an archive within the cap, or the reason why not. */
export async function readOpenedFile(file: string): Promise<ShellFile> {
  const name = path.basename(file);
  let size = 0;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const stat = await handle.stat();
    size = stat.size;
    if (!stat.isFile()) return { name, size, ...UNREADABLE };
    if (size > MAX_OPENED_FILE_BYTES) return { name, size, ...UNREADABLE, problem: 'too_large' };
    const bytes = await handle.readFile();
    return /\.zip$/i.test(name)
      ? { name, size, text: null, problem: null, archive: new Uint8Array(bytes) }
      : { name, size, ...decode(bytes) };
  } catch {
    return { name, size, ...UNREADABLE };
  } finally {
    await handle?.close();
  }
}
