import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

/** A fresh folder outside of the checkout. */
export function scratchFolder(): ScratchFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-e2e-'));
  return {
    path: folder,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
