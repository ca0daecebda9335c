import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A path inside of its root, or why it is none. */
export type ConfinedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: 'confined' };

/** The text of a file, or that there is none to be had. */
export type FileText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'unreadable' };

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/** The real path of a file that may not exist yet: symlinks of its existing part are followed. */
async function realPathOf(file: string): Promise<string> {
  const missing: string[] = [];
  let current = file;
  for (;;) {
    try {
      return path.join(await realpath(current), ...missing);
    } catch {
      const parent = path.dirname(current);
      if (parent === current) return file;
      missing.unshift(path.basename(current));
      current = parent;
    }
  }
}

/**
 * Resolves a path against the spec root, symlinks included; it must be the root or below it
 * (contract/platform.md 3.13). The file need not exist.
 */
export async function confinePath(root: string, file: string): Promise<ConfinedPath> {
  if (file.includes('\0')) return { ok: false, reason: 'confined' };
  const realRoot = await realPathOf(path.resolve(root));
  const resolved = await realPathOf(path.resolve(realRoot, file));
  return isInside(realRoot, resolved)
    ? { ok: true, path: resolved }
    : { ok: false, reason: 'confined' };
}

/** Reads a confined file as UTF-8 text of at most 8 MiB. */
export async function readConfinedText(file: string): Promise<FileText> {
  try {
    const handle = await open(file, 'r');
    try {
      const facts = await handle.stat();
      if (!facts.isFile() || facts.size > MAX_FILE_BYTES)
        return { ok: false, reason: 'unreadable' };
      const bytes = await handle.readFile();
      return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } finally {
      await handle.close();
    }
  } catch {
    return { ok: false, reason: 'unreadable' };
  }
}
