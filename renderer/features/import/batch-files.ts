import type { OpenedFile } from '../../desktop/bridge.ts';
import { keptRecords } from '../../desktop/kept-records.ts';

const AT_ONCE = 100;

const prefixOf = (projectId: string): string => `import-files/1/${projectId}/`;

/** Keys in the order of the files. */
function keyOf(projectId: string, index: number): string {
  return `${prefixOf(projectId)}${String(index).padStart(6, '0')}`;
}

function isFile(value: unknown): value is OpenedFile {
  return typeof value === 'object' && value !== null && 'name' in value && 'text' in value;
}

/**
 * Keeps the files of a running import in this window's database, so that it goes on after a reload.
 * They are dropped when it ends. False where they could not be kept.
 */
export async function keepFiles(projectId: string, files: readonly OpenedFile[]): Promise<boolean> {
  await dropFiles(projectId);
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const part = files.slice(start, start + AT_ONCE);
    const entries = part.map((file, at) => [keyOf(projectId, start + at), file] as const);
    if (!(await keptRecords.setAll(entries))) {
      return false;
    }
  }
  return true;
}

/** The files of an import that was interrupted; empty when none were kept. */
export async function keptFiles(projectId: string): Promise<readonly OpenedFile[]> {
  const entries = await keptRecords.entries(prefixOf(projectId));
  return entries.flatMap(([, value]) => (isFile(value) ? [value] : []));
}

/** Forgets the files of an import. */
export async function dropFiles(projectId: string): Promise<void> {
  await keptRecords.removeAll(prefixOf(projectId));
}
