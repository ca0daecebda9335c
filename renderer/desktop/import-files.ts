import {
  MAX_OPENED_FILE_BYTES,
  type OpenedFile,
  type ShellFile,
} from '../../preload/desktop-api.ts';
import { looksLikeExport } from '../../server/gaps/report/source-of-file.ts';
import { readPickedFile } from './browser-files.ts';
import { readZip } from './read-zip.ts';

/** More files are not taken at once. */
export const MAX_IMPORT_FILES = 5_000;
const MAX_DEPTH = 32;

/** A file with the path under which it was offered, folders included. */
interface Offered {
  readonly path: string;
  readonly file: File;
}

const isZip = (name: string): boolean => /\.zip$/i.test(name);

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

async function membersOf(path: string, buffer: ArrayBuffer): Promise<OpenedFile[]> {
  const size = buffer.byteLength;
  const unreadable: OpenedFile = { name: path, size, text: null, problem: 'unreadable' };
  const members = await readZip(buffer, (name) => {
    return !name.startsWith('__MACOSX/') && (looksLikeExport(name) || isZip(name));
  });
  return (members ?? [undefined]).map((member): OpenedFile => {
    if (member === undefined) {
      return unreadable;
    }
    const name = `${path}/${member.name}`;
    if (member.bytes === null || isZip(member.name)) {
      return { name, size: 0, text: null, problem: member.problem ?? 'unreadable' };
    }
    return decode(name, member.bytes);
  });
}

async function openArchive({ path, file }: Offered): Promise<OpenedFile[]> {
  return file.size > MAX_OPENED_FILE_BYTES
    ? [{ name: path, size: file.size, text: null, problem: 'too_large' }]
    : membersOf(path, await file.arrayBuffer());
}

/** Files that the shell read, with what is in their archives instead of these. */
export async function expandArchives(files: readonly ShellFile[]): Promise<readonly OpenedFile[]> {
  const parts = await Promise.all(
    files.map(async ({ archive, ...file }) =>
      archive === null ? [file] : membersOf(file.name, new Uint8Array(archive).buffer),
    ),
  );
  return parts.flat();
}

async function open(offered: readonly Offered[]): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const { path, file } of offered) {
    if (isZip(path)) {
      opened.push(...(await openArchive({ path, file })));
    } else {
      opened.push({ ...(await readPickedFile(file)), name: path });
    }
    if (opened.length > MAX_IMPORT_FILES) {
      throw new Error(`More than ${MAX_IMPORT_FILES} files; import them in parts.`);
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
    const wanted = depth === 0 || looksLikeExport(entry.name) || isZip(entry.name);
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
      throw new Error(`More than ${MAX_IMPORT_FILES} files; import them in parts.`);
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
      file.webkitRelativePath === '' || ((looksLikeExport(path) || isZip(path)) && !isHidden(path)),
  );
  return open(wanted.sort(byPath));
}
