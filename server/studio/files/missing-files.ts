import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../kernel/system-code.ts';
import { openFolder } from './tree-folder.ts';

async function isFile(location: string): Promise<boolean> {
  try {
    return (await lstat(location)).isFile();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Those of the refs at which no plain file stands; none of the files is read. */
export async function missingFiles(root: string, refs: readonly string[]): Promise<string[]> {
  const folders = Map.groupBy(refs, (ref) => path.posix.dirname(ref));
  const missing: string[] = [];
  for (const [location, inside] of folders) {
    const segments = location === '.' ? [] : location.split('/');
    const folder = await openFolder(root, segments).catch(() => undefined);
    try {
      for (const ref of inside) {
        const at = folder && path.join(folder.path, path.posix.basename(ref));
        if (at === undefined || !(await isFile(at))) missing.push(ref);
      }
    } finally {
      await folder?.close();
    }
  }
  return missing;
}
