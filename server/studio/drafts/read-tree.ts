import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { TreeEntry, TreeView } from '../../contract/studio/drafts.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef, isGenerated } from '../files/canonical-ref.ts';
import { readFile } from '../files/tree-files.ts';
import { openFolder } from '../files/tree-folder.ts';
import { requireRoot } from './draft-files.ts';
import { listDraftRows } from './drafts-repository.ts';

const EXTENSION = /\.(?:ya?ml|json|md)$/i;
const MAX_BYTES = 1_048_576;
const MAX_FILES = 5000;
const MAX_FOLDERS = 2000;
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);

interface Listing {
  readonly folders: string[];
  readonly files: { ref: string; size: number }[];
}

async function listFolder(root: string, segments: readonly string[]): Promise<Listing> {
  const listing: Listing = { folders: [], files: [] };
  const folder = await openFolder(root, segments).catch(() => undefined);
  if (folder === undefined) return listing;
  try {
    for (const entry of await readdir(folder.path, { withFileTypes: true })) {
      const ref = [...segments, entry.name].join('/');
      if (canonicalRef(ref) !== ref) continue;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) listing.folders.push(entry.name);
      if (!entry.isFile() || !EXTENSION.test(entry.name)) continue;
      const found = await lstat(path.join(folder.path, entry.name)).catch(() => undefined);
      if (found !== undefined && found.size <= MAX_BYTES)
        listing.files.push({ ref, size: found.size });
    }
  } finally {
    await folder.close();
  }
  return listing;
}

function toEntry(
  file: { ref: string; size: number },
  draft: DraftManifestRow | undefined,
): TreeEntry {
  return {
    ref: file.ref,
    size: file.size,
    generated: isGenerated(file.ref),
    registered: draft !== undefined,
    kind: draft?.kind ?? null,
    capabilities: draft?.capabilities ?? null,
    origin: draft?.origin ?? null,
  };
}

/** Files that are or could be drafts: generated ones first, then by ref (studio.md 18). */
export async function readTree(deps: StudioDeps, project: ProjectRow): Promise<TreeView> {
  await requireConfirmedRoot(deps.db, project);
  await requireRoot(project);
  const rows = await listDraftRows(deps.db, project.id);
  const drafts = new Map(rows.map((row) => [row.ref, row]));
  const queue: string[][] = [[]];
  const files: { ref: string; size: number }[] = [];
  let folders = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    folders += 1;
    if (folders > MAX_FOLDERS || files.length >= MAX_FILES) break;
    const listing = await listFolder(project.root, next);
    files.push(...listing.files);
    for (const name of listing.folders.sort(compareCodePoints)) queue.push([...next, name]);
  }
  const entries: TreeEntry[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const draft = drafts.get(file.ref);
    const readable = draft !== undefined || (await readFile(project.root, file.ref)) !== undefined;
    if (readable) entries.push(toEntry(file, draft));
  }
  entries.sort(
    (a, b) => Number(b.generated) - Number(a.generated) || compareCodePoints(a.ref, b.ref),
  );
  return { entries, truncated: folders > MAX_FOLDERS || files.length >= MAX_FILES };
}
