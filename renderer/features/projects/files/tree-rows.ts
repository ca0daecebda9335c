import { locale } from '../../../../preload/texts/language.ts';
import { t } from '../../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import type { TreeEntry } from '../../../../server/contract/studio/tree.ts';
import { fileName, isGenerated } from '../../../data/draft-names.ts';

/** A file of the project: a draft, or one that could be. */
export interface ProjectFile {
  readonly ref: string;
  readonly name: string;
  /** Null for a file that is no draft. */
  readonly kind: string | null;
  readonly capabilities: 'read' | 'read_write';
  readonly revision: string | null;
  /** A draft whose file is not there. */
  readonly missing: boolean;
  /** No draft, and its text begins as a spec does. */
  readonly spec: boolean;
  readonly analysisIds: readonly string[];
}

interface Place {
  /** Names the row as long as it is shown. */
  readonly key: string;
  readonly name: string;
  /** From 1, as the others: for who does not see the indent. */
  readonly level: number;
  readonly position: number;
  readonly size: number;
}

export interface FolderRow extends Place {
  readonly type: 'folder';
  /** Path in the project; empty for the project's own folder, undefined for the group of drafts. */
  readonly path: string | undefined;
  readonly open: boolean;
  /** Specs below it that are no drafts. */
  readonly found: readonly string[];
}

export interface FileRow extends Place {
  readonly type: 'file';
  readonly file: ProjectFile;
}

export type TreeRow = FolderRow | FileRow;

interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly files: ProjectFile[];
}

function ofDraft(draft: DraftSummary): ProjectFile {
  return {
    ref: draft.ref,
    name: fileName(draft.ref),
    kind: draft.kind,
    capabilities: draft.capabilities === 'read' ? 'read' : 'read_write',
    revision: draft.revision,
    missing: draft.revision === null,
    spec: false,
    analysisIds: draft.analysis_ids,
  };
}

function ofEntry({ ref, spec }: TreeEntry): ProjectFile {
  const place = { ref, name: fileName(ref), kind: null, revision: null, spec } as const;
  return { ...place, capabilities: 'read_write', missing: false, analysisIds: [] };
}

/** Every draft, and every other file that the folder holds and that could be one. */
export function projectFiles(
  drafts: readonly DraftSummary[],
  entries: readonly TreeEntry[],
): readonly ProjectFile[] {
  const known = new Set(drafts.map(({ ref }) => ref));
  const others = entries.filter(({ ref, generated }) => !generated && !known.has(ref));
  return [...drafts.map(ofDraft), ...others.map(ofEntry)];
}

/** Refs of the specs that are no drafts yet. */
export function foundSpecs(files: readonly ProjectFile[]): readonly string[] {
  return files.filter(({ spec }) => spec).map(({ ref }) => ref);
}

const order = new Intl.Collator(locale(), { numeric: true });

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return order.compare(a.name, b.name);
}

function emptyFolder(path: string): Folder {
  return { path, name: fileName(path), folders: new Map(), files: [] };
}

function folderOf(root: Folder, path: string): Folder {
  let folder = root;
  for (const name of path.split('/').slice(0, -1)) {
    const next = folder.folders.get(name);
    const made = next ?? emptyFolder(folder.path === '' ? name : `${folder.path}/${name}`);
    if (next === undefined) {
      folder.folders.set(name, made);
    }
    folder = made;
  }
  return folder;
}

function below(folder: Folder): readonly ProjectFile[] {
  return [...folder.files, ...[...folder.folders.values()].flatMap(below)];
}

/** The key of a folder's row. */
export function folderKey(path: string): string {
  return `folder:${path}`;
}

/** The key of the group of drafts, and of all other files. */
export const DRAFTS_KEY = 'group:drafts';

/**
 * The rows of the tree from top to bottom, those of closed folders left out. `opened` says what a
 * person opened or closed; else a folder is open that holds a draft.
 */
export function treeRows(
  files: readonly ProjectFile[],
  opened: ReadonlyMap<string, boolean>,
): readonly TreeRow[] {
  const drafts = files.filter(({ ref }) => isGenerated(ref)).sort(byName);
  const root = emptyFolder('');
  for (const file of files) {
    if (!isGenerated(file.ref)) {
      folderOf(root, file.ref).files.push(file);
    }
  }
  const rows: TreeRow[] = [];
  const size = Number(drafts.length > 0) + Number(root.files.length + root.folders.size > 0);
  const addFiles = (list: readonly ProjectFile[], level: number, before: number, of: number) => {
    list.forEach((file, index) => {
      const place = { name: file.name, level, position: before + index + 1, size: of };
      rows.push({ type: 'file', key: file.ref, file, ...place });
    });
  };
  const addInside = (folder: Folder, level: number): void => {
    const folders = [...folder.folders.values()].sort(byName);
    const of = folders.length + folder.files.length;
    folders.forEach((one, index) => {
      addFolder(one, { name: one.name, level, position: index + 1, size: of });
    });
    addFiles(folder.files.sort(byName), level, folders.length, of);
  };
  const addFolder = (folder: Folder, place: Omit<Place, 'key'>): void => {
    const key = folderKey(folder.path);
    const all = below(folder);
    const open = opened.get(key) ?? (folder.path === '' || all.some(({ kind }) => kind !== null));
    const found = foundSpecs(all);
    rows.push({ type: 'folder', key, path: folder.path, open, found, ...place });
    if (open) {
      addInside(folder, place.level + 1);
    }
  };
  if (drafts.length > 0) {
    const open = opened.get(DRAFTS_KEY) ?? true;
    const place = { name: t('Drafts'), level: 1, position: 1, size };
    rows.push({ type: 'folder', key: DRAFTS_KEY, path: undefined, open, found: [], ...place });
    if (open) {
      addFiles(drafts, 2, 0, drafts.length);
    }
  }
  if (root.files.length + root.folders.size > 0) {
    addFolder(root, { name: t('Project files'), level: 1, position: size, size });
  }
  return rows;
}

/** Where the keyboard goes from a row; the same place when there is nowhere to go. */
export function rowAfterKey(rows: readonly TreeRow[], index: number, key: string): number {
  const row = rows[index];
  if (row === undefined) {
    return 0;
  }
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, rows.length - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return row.type === 'folder' && row.open ? Math.min(index + 1, rows.length - 1) : index;
    case 'ArrowLeft':
      return rows.slice(0, index).findLastIndex(({ level }) => level < row.level) === -1
        ? index
        : rows.slice(0, index).findLastIndex(({ level }) => level < row.level);
    default:
      return nextByLetter(rows, index, key);
  }
}

function nextByLetter(rows: readonly TreeRow[], index: number, key: string): number {
  if (key.length !== 1) {
    return index;
  }
  const letter = key.toLowerCase();
  const begins = ({ name }: TreeRow) => name.toLowerCase().startsWith(letter);
  const after = rows.findIndex((row, at) => at > index && begins(row));
  const first = rows.findIndex(begins);
  return after === -1 ? (first === -1 ? index : first) : after;
}
