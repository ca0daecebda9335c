import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFile } from '../files/durable-write.ts';
import type { OpenBundle } from './open-bundle.ts';

/** Writes the files of what was opened below an empty folder of its own. */
export async function unpackBundle(
  { files }: Pick<OpenBundle, 'files'>,
  folder: string,
): Promise<void> {
  for (const [name, bytes] of files) {
    const file = path.join(folder, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await makeFile(file, bytes, 0o600);
  }
}
