import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { refuse } from '../../contract/studio/errors.ts';
import type { TreeEntry, TreeView } from '../../contract/studio/tree.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { looksLikeSpec } from '../../spec/values/looks-like-spec.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoot } from '../drafts/draft-files.ts';
import { listDraftRows } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef, isGenerated } from '../files/canonical-ref.ts';
import { readTextSync } from '../files/tree-files.ts';
import { openFolder, type TreeFolder } from '../files/tree-folder.ts';
import type { SeenFile, TreeSight } from './tree-watch.ts';

const EXTENSION = /\.(?:ya?ml|json|md)$/i;
const MAX_BYTES = 1_048_576;
const MAX_FILES = 5000;
const MAX_FOLDERS = 2000;
const MAX_UNUSABLE = 20;
/** Entries of a folder that are listed in one go: a folder may hold any number. */
const AT_ONCE = 512;
/** Files are looked at for so long before others have their turn. */
const SLICE_MS = 5;
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);
interface FoundFile {
  readonly ref: string;
  readonly size: number;
  readonly seen: SeenFile;
}

interface Listing {
  readonly folders: string[];
  readonly files: FoundFile[];
  readonly unusable: string[];
}

function isSameEntry(folder: TreeFolder, name: string, other: string): boolean {
  const at = (entry: string) =>
    lstatSync(path.join(folder.path, entry), { bigint: true, throwIfNoEntry: false });
  const [found, named] = [at(name), at(other)];
  return found !== undefined && named?.ino === found.ino && named.dev === found.dev;
}

/** The name under which a ref reaches an entry: a disk may take two spellings of accents for one. */
function usableName(
  folder: TreeFolder,
  segments: readonly string[],
  name: string,
): string | undefined {
  const composed = name.normalize('NFC');
  const ref = [...segments, composed].join('/');
  if (canonicalRef(ref) !== ref) return undefined;
  return composed === name || isSameEntry(folder, name, composed) ? composed : undefined;
}

function lookAt(text: string | undefined): SeenFile['look'] {
  if (text === undefined) return 'other';
  return looksLikeSpec(text) ? 'spec' : 'text';
}

/** What a name of a folder is, looked into once for each state that the disk gives it. */
function look(
  folder: TreeFolder,
  name: string,
  ref: string,
  known: TreeSight['seen'],
): FoundFile | undefined {
  try {
    const found = lstatSync(path.join(folder.path, name), { bigint: true });
    if (!found.isFile() || found.size > MAX_BYTES) return undefined;
    const state = `${found.ino}:${found.mtimeNs}:${found.ctimeNs}:${found.size}`;
    const before = known.get(ref);
    const isSame = before?.state === state;
    const seen = isSame ? before : { state, look: lookAt(readTextSync(folder, name)) };
    return { ref, size: Number(found.size), seen };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

async function lookAtAll(
  folder: TreeFolder,
  names: readonly { readonly name: string; readonly ref: string }[],
  known: TreeSight['seen'],
): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  let begun = performance.now();
  for (const { name, ref } of names) {
    const file = look(folder, name, ref, known);
    if (file !== undefined) files.push(file);
    if (performance.now() - begun > SLICE_MS) {
      await setImmediate();
      begun = performance.now();
    }
  }
  return files;
}

async function listFolder(
  root: string,
  segments: readonly string[],
  known: TreeSight['seen'],
): Promise<Listing> {
  const listing: Listing = { folders: [], files: [], unusable: [] };
  const folder = await openFolder(root, segments).catch(() => undefined);
  if (folder === undefined) return listing;
  try {
    const names: { name: string; ref: string }[] = [];
    for await (const entry of await opendir(folder.path, { bufferSize: AT_ONCE })) {
      const isFolder = entry.isDirectory() && !SKIPPED.has(entry.name);
      if (!isFolder && !(entry.isFile() && EXTENSION.test(entry.name))) continue;
      const name = usableName(folder, segments, entry.name);
      if (name === undefined) listing.unusable.push([...segments, entry.name].join('/'));
      else if (isFolder) listing.folders.push(name);
      else names.push({ name, ref: [...segments, name].join('/') });
    }
    names.sort((a, b) => compareCodePoints(a.name, b.name));
    listing.files.push(...(await lookAtAll(folder, names.slice(0, MAX_FILES), known)));
  } finally {
    await folder.close();
  }
  return listing;
}

function toEntry({ ref, size, seen }: FoundFile, draft: DraftManifestRow | undefined): TreeEntry {
  return {
    ref,
    size,
    generated: isGenerated(ref),
    registered: draft !== undefined,
    kind: draft?.kind ?? null,
    capabilities: draft?.capabilities ?? null,
    origin: draft?.origin ?? null,
    spec: seen.look === 'spec',
  };
}

interface Walk {
  readonly files: FoundFile[];
  readonly unusable: string[];
  readonly truncated: boolean;
}

async function walk(root: string, sight: TreeSight): Promise<Walk> {
  const queue: string[][] = [[]];
  const files: FoundFile[] = [];
  const unusable: string[] = [];
  let folders = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    folders += 1;
    if (folders > MAX_FOLDERS || files.length >= MAX_FILES) {
      return { files, unusable, truncated: true };
    }
    sight.folder(next);
    const listing = await listFolder(root, next, sight.seen);
    files.push(...listing.files);
    unusable.push(...listing.unusable.slice(0, MAX_UNUSABLE - unusable.length));
    for (const name of listing.folders.sort(compareCodePoints)) queue.push([...next, name]);
  }
  return { files: files.slice(0, MAX_FILES), unusable, truncated: files.length > MAX_FILES };
}

/** Files that are or could be drafts: generated ones first, then by ref (studio.md 18). */
export async function readTree(deps: StudioDeps, project: ProjectRow): Promise<TreeView> {
  try {
    await requireConfirmedRoot(deps.db, project);
    await requireRoot(project);
  } catch (error) {
    deps.trees.forget(project.id);
    throw error;
  }
  const sight = await deps.trees.look(project).catch(() => {
    throw refuse('project_root_unavailable');
  });
  const { files, unusable, truncated } = await walk(project.root, sight);
  sight.end(new Map(files.map(({ ref, seen }) => [ref, seen])));
  const rows = await listDraftRows(deps.db, project.id);
  const drafts = new Map(rows.map((row) => [row.ref, row]));
  const entries: TreeEntry[] = [];
  for (const file of files) {
    const draft = drafts.get(file.ref);
    if (draft !== undefined || file.seen.look !== 'other') entries.push(toEntry(file, draft));
  }
  entries.sort(
    (a, b) => Number(b.generated) - Number(a.generated) || compareCodePoints(a.ref, b.ref),
  );
  return { entries, truncated, unusable, version: sight.version };
}
