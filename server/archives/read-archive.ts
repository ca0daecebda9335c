import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { isArchive, looksLikeExport } from '../gaps/report/source-of-file.ts';

/** Why a member was not read. */
export type MemberProblem = 'too_large' | 'archive_too_large' | 'locked' | 'damaged' | 'archive';

/** A member that may be an export: its name and its content, or why it was not read. */
export interface ArchiveMember {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer> | MemberProblem;
}

/** Why an archive was refused as a whole. */
export type ArchiveProblem = 'unreadable' | 'too_many_members' | 'leads_out';

export const MAX_MEMBERS = 10_000;
/** A little over the importers' own limit for one file. */
const MAX_MEMBER_BYTES = 2 * 1_048_576;
const MAX_TOTAL_BYTES = 256 * 1_048_576;

function isWanted(name: string): boolean {
  return !name.startsWith('__MACOSX/') && (looksLikeExport(name) || isArchive(name));
}

/** The bytes of a member; it may not unpack to more than the directory says. */
async function unpack(entry: FileEntry): Promise<Uint8Array<ArrayBuffer> | MemberProblem> {
  const bytes = new Uint8Array(entry.uncompressedSize);
  let filled = 0;
  const sink = new WritableStream<Uint8Array>({
    write(part) {
      bytes.set(part, filled);
      filled += part.length;
    },
  });
  try {
    await entry.getData(sink, { checkCrc32: true });
  } catch {
    return 'damaged';
  }
  return filled === bytes.length ? bytes : 'damaged';
}

async function contentOf(entry: FileEntry, total: number): Promise<ArchiveMember['content']> {
  if (total > MAX_TOTAL_BYTES) return 'archive_too_large';
  if (isArchive(entry.filename)) return 'archive';
  if (entry.uncompressedSize > MAX_MEMBER_BYTES) return 'too_large';
  return entry.encrypted ? 'locked' : unpack(entry);
}

/**
 * The members of a zip archive that may be exports, by name, or why it is refused as a whole. Bounded
 * in files and bytes, whatever its directory says; archives inside are not opened. Nothing is written,
 * and an archive with a name that leads out of it is refused.
 */
export async function readArchive(
  archive: Blob,
): Promise<readonly ArchiveMember[] | ArchiveProblem> {
  const zip = new ZipReader(new BlobReader(archive), { useWebWorkers: false });
  const found: ArchiveMember[] = [];
  try {
    const entries: FileEntry[] = [];
    let count = 0;
    for await (const entry of zip.getEntriesGenerator()) {
      count += 1;
      if (count > MAX_MEMBERS) return 'too_many_members';
      if (!entry.directory && isWanted(entry.filename)) entries.push(entry);
    }
    let total = 0;
    for (const entry of entries) {
      total += entry.uncompressedSize;
      found.push({ name: entry.filename, content: await contentOf(entry, total) });
    }
  } catch (error) {
    // The library names the member whose name leads out of the archive.
    return error instanceof Error && 'filename' in error ? 'leads_out' : 'unreadable';
  } finally {
    await zip.close();
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
