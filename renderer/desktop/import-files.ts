import {
  MAX_OPENED_FILE_BYTES,
  type OpenedFile,
  type ShellFile,
} from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { isArchive, looksLikeExport } from '../../server/gaps/report/source-of-file.ts';
import { readPickedFile } from './browser-files.ts';

/** More files are not taken at once. */
const MAX_IMPORT_FILES = 5_000;
/** More text is not held at once. */
const MAX_IMPORT_BYTES = 268_435_456;
const MAX_DEPTH = 32;

/** A file with the path under which it was offered, folders included. */
interface Offered {
  readonly path: string;
  readonly file: File;
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}

function decode(name: string, bytes: Uint8Array<ArrayBuffer>): OpenedFile {
  const size = bytes.length;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { name, size, text, problem: null };
  } catch {
    return { name, size, text: null, problem: 'not_utf8' };
  }
}

async function membersOf(path: string, archive: Blob): Promise<OpenedFile[]> {
  const { readArchive } = await import('../../server/archives/read-archive.ts');
  const members = await readArchive(archive);
  if (typeof members === 'string') {
    return [{ name: path, size: archive.size, text: null, problem: 'unreadable' }];
  }
  return members.map((member): OpenedFile => {
    const name = `${path}/${member.name}`;
    const { content } = member;
    if (typeof content !== 'string') {
      return decode(name, content);
    }
    const isLarge = content === 'too_large' || content === 'archive_too_large';
    return { name, size: 0, text: null, problem: isLarge ? 'too_large' : 'unreadable' };
  });
}

async function openArchive({ path, file }: Offered): Promise<OpenedFile[]> {
  return file.size > MAX_OPENED_FILE_BYTES
    ? [{ name: path, size: file.size, text: null, problem: 'too_large' }]
    : membersOf(path, file);
}

/** Files that the shell read, with what is in their archives instead of these. */
export async function expandArchives(files: readonly ShellFile[]): Promise<readonly OpenedFile[]> {
  const parts = await Promise.all(
    files.map(async ({ archive, ...file }) =>
      archive === null ? [file] : membersOf(file.name, new Blob([new Uint8Array(archive)])),
    ),
  );
  return parts.flat();
}

async function open(offered: readonly Offered[]): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = [];
  const bytes = offered.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MAX_IMPORT_BYTES) {
    throw new Error(t('More than 256 MiB of files; import them in parts.'));
  }
  for (const { path, file } of offered) {
    if (isArchive(path)) {
      opened.push(...(await openArchive({ path, file })));
    } else {
      opened.push({ ...(await readPickedFile(file)), name: path });
    }
    if (opened.length > MAX_IMPORT_FILES) {
      throw new Error(
        t('More than {MAX_IMPORT_FILES} files; import them in parts.', { MAX_IMPORT_FILES }),
      );
    }
  }
  return opened;
}

function byPath(a: Offered, b: Offered): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function readBatch(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly FileSystemEntry[]>();
  reader.readEntries(resolve, reject);
  return promise;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const { promise, resolve, reject } = Promise.withResolvers<File>();
  entry.file(resolve, reject);
  return promise;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

async function walk(entry: FileSystemEntry, path: string, depth: number): Promise<Offered[]> {
  if (isFile(entry)) {
    const wanted = depth === 0 || looksLikeExport(entry.name) || isArchive(entry.name);
    return wanted ? [{ path, file: await fileOf(entry) }] : [];
  }
  if (!isFolder(entry) || depth > MAX_DEPTH) {
    return [];
  }
  const reader = entry.createReader();
  const found: Offered[] = [];
  // A reader gives its entries in parts; an empty part is the end.
  for (let part = await readBatch(reader); part.length > 0; part = await readBatch(reader)) {
    for (const child of part) {
      if (!isHidden(child.name)) {
        found.push(...(await walk(child, `${path}/${child.name}`, depth + 1)));
      }
    }
    if (found.length > MAX_IMPORT_FILES) {
      throw new Error(
        t('More than {MAX_IMPORT_FILES} files; import them in parts.', { MAX_IMPORT_FILES }),
      );
    }
  }
  return found.sort(byPath);
}

/**
 * Reads what was dropped: files, folders with everything in them, and zip archives. To be called
 * while the drop is handled: afterwards the browser gives nothing away.
 */
export async function readDropped(transfer: DataTransfer): Promise<readonly OpenedFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const dropped = items.map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const found: Offered[] = [];
  for (const { entry, file } of dropped) {
    if (entry !== null) {
      found.push(...(await walk(entry, entry.name, 0)));
    } else if (file !== null) {
      found.push({ path: file.name, file });
    }
  }
  return open(found);
}

/** Reads files that a file dialog gave; of a folder only what may be an export. */
export async function readPicked(files: readonly File[]): Promise<readonly OpenedFile[]> {
  const offered = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const wanted = offered.filter(
    ({ path, file }) =>
      file.webkitRelativePath === '' ||
      ((looksLikeExport(path) || isArchive(path)) && !isHidden(path)),
  );
  return open(wanted.sort(byPath));
}
