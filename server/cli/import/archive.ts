import type { Entry, ZipFile } from 'yauzl';
import yauzl from 'yauzl';
import { looksLikeExport } from '../../gaps/report/source-of-file.ts';
import { decodeSource, isArchive, type SourceFile, type SourceProblem } from './source-file.ts';

const MAX_ENTRIES = 10_000;
/** A little over the importers' own limit for one file. */
const MAX_ENTRY_BYTES = 2 * 1_048_576;
const MAX_TOTAL_BYTES = 256 * 1_048_576;

function refusal(message: string): SourceProblem {
  return { code: 'archive_refused', message };
}

/** Reads a member, but never more than it declares or than is allowed. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<string | SourceProblem> {
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) {
    return { code: 'source_too_large', message: 'The file is larger than 1 MiB.' };
  }
  if (entry.isEncrypted()) return refusal('The file is locked with a password.');
  const parts: Buffer[] = [];
  try {
    let size = 0;
    for await (const part of await zip.openReadStreamPromise(entry)) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > MAX_ENTRY_BYTES) return refusal('The file is larger than the archive says.');
      parts.push(bytes);
    }
  } catch {
    return refusal('The file in the archive is damaged.');
  }
  return decodeSource(Buffer.concat(parts));
}

function isWanted(entry: Entry): boolean {
  const { fileName } = entry;
  if (fileName.endsWith('/') || fileName.startsWith('__MACOSX/')) return false;
  return looksLikeExport(fileName) || isArchive(fileName);
}

async function readMembers(zip: ZipFile, shown: string): Promise<SourceFile[]> {
  if (zip.entryCount > MAX_ENTRIES) {
    return [asked(shown, refusal(`The archive holds more than ${MAX_ENTRIES} files.`))];
  }
  const found: SourceFile[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if (!isWanted(entry)) continue;
    const path = `${shown}/${entry.fileName}`;
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES) {
      found.push(asked(path, refusal('The archive is too large; the rest was not read.')));
      break;
    }
    const content = isArchive(entry.fileName)
      ? refusal('An archive inside of an archive is not opened.')
      : await readEntry(zip, entry);
    found.push(asked(path, content));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function asked(path: string, content: string | SourceProblem): SourceFile {
  return { path, read: () => content };
}

/**
 * The exports in a zip archive, by name. Nothing is written, so no name can lead anywhere; an
 * archive with a name that would lead out of it is refused as a whole. Bounded in files and bytes,
 * whatever its directory says; archives inside are not opened.
 */
export async function readArchive(file: string, shown: string): Promise<SourceFile[]> {
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false });
    return await readMembers(zip, shown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    const said = /invalid relative path|absolute path|invalid characters/.test(reason)
      ? 'The archive holds a name that leads out of it.'
      : 'The file is no readable zip archive.';
    return [asked(shown, refusal(said))];
  } finally {
    zip?.close();
  }
}
