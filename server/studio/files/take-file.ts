import { randomBytes } from 'node:crypto';
// biome-ignore lint/style/noRestrictedImports: names inside of a folder that is held open.
import { readdir, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../kernel/system-code.ts';
import { publish, readRegular } from './tree-files.ts';
import { inFolderOf, openFolder, type TreeFolder } from './tree-folder.ts';

/*
 * A file that is to go is taken out of its place first, and looked at where nobody else knows it:
 * what somebody put there meanwhile is seen and goes back, unread bytes are never removed.
 */

const TAKEN = /^\.(.*)\.gone-[0-9a-f]{16}$/;
const LONGEST_NAME = 255;

function takenName(name: string): string {
  const suffix = `.gone-${randomBytes(8).toString('hex')}`;
  let stem = name;
  while (Buffer.byteLength(`.${stem}${suffix}`) > LONGEST_NAME) stem = stem.slice(0, -1);
  return `.${stem}${suffix}`;
}

async function isAt(folder: TreeFolder, name: string, revision: string): Promise<boolean> {
  try {
    return (await readRegular(folder, name))?.revision === revision;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Gives a taken file its name again, or a visible one beside it when that is in use by now. */
async function putBack(folder: TreeFolder, taken: string, name: string): Promise<void> {
  const from = path.join(folder.path, taken);
  if (await publish(from, path.join(folder.path, name))) {
    await unlink(from).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
    });
  } else {
    await rename(from, path.join(folder.path, `kept-${taken.slice(-8)}-${name}`));
  }
  await folder.sync();
}

/**
 * Removes the file at `ref` when it holds the bytes of `revision`; `keep` is called before they go,
 * and what it throws leaves the file. False when there are other bytes, or no plain file: they stay.
 * @throws the system's error
 */
export async function takeFile(
  root: string,
  ref: string,
  revision: string,
  keep: () => Promise<void>,
): Promise<boolean> {
  return inFolderOf(root, ref, async (folder, name) => {
    const taken = takenName(name);
    try {
      await rename(path.join(folder.path, name), path.join(folder.path, taken));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
    try {
      if (!(await isAt(folder, taken, revision))) {
        await putBack(folder, taken, name);
        return false;
      }
      await keep();
    } catch (error) {
      await putBack(folder, taken, name);
      throw error;
    }
    await unlink(path.join(folder.path, taken));
    await folder.sync();
    return true;
  });
}

/**
 * What an interrupted {@link takeFile} of `ref` left: removed when the file was to go and holds the
 * bytes of `revision`, else put back.
 */
export async function settleTaken(
  root: string,
  ref: string,
  going: { readonly gone: boolean; readonly revision: string },
): Promise<void> {
  const segments = ref.split('/');
  const name = segments.pop() ?? '';
  const folder = await openFolder(root, segments).catch(() => undefined);
  if (folder === undefined) return;
  try {
    for (const entry of await readdir(folder.path)) {
      const stem = TAKEN.exec(entry)?.[1];
      if (stem === undefined || stem === '' || !name.startsWith(stem)) continue;
      if (going.gone && (await isAt(folder, entry, going.revision))) {
        await unlink(path.join(folder.path, entry));
      } else if (stem === name || (await isAt(folder, entry, going.revision))) {
        await putBack(folder, entry, name);
      }
    }
  } finally {
    await folder.close();
  }
}
