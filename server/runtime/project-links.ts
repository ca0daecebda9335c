import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { EffectFailure } from './run-effects.ts';
import { confinePath } from './spec-files.ts';

/**
 * Node's permissions follow a link wherever it leads, so a folder with a link that leads out of it is
 * not run at all.
 * @throws EffectFailure with the name of the first such link.
 */
export async function refuseLinksOut(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const target = await confinePath(folder, file);
    if (target.ok) continue;
    const name = path.relative(folder, file);
    const message = `functions/${name} is a link that leads out of the functions folder; put a copy in its place.`;
    throw new EffectFailure(message, { retryable: false });
  }
}
