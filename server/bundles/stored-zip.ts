import {
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { workShare } from '../runtime/work-share.ts';
import { BUNDLE_LIMITS } from './limits.ts';
import { isSafeName, nameKey } from './member-name.ts';
import { BundleRefusal } from './refusal.ts';

/** Name → bytes, in the order of the archive. */
export type Members = ReadonlyMap<string, Uint8Array>;

/** 1980-01-01 00:00, the first moment that an archive can say. */
const NO_TIME = 0x0021_0000;
const STORED = 0;

/** A zip archive of these members: stored, without times or rights, so that equal members give equal bytes. */
export async function writeStoredZip(members: Members): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    level: 0,
    useWebWorkers: false,
    extendedTimestamp: false,
    dataDescriptor: false,
    rawLastModDate: NO_TIME,
    externalFileAttributes: 0,
    msDosCompatible: true,
  });
  const share = workShare();
  for (const [name, bytes] of members) {
    await share();
    await writer.add(name, new Uint8ArrayReader(bytes));
  }
  return writer.close();
}

function refuseMember(entry: FileEntry, seen: Set<string>): void {
  const { filename } = entry;
  if (!isSafeName(filename) || entry.symlink) {
    throw new BundleRefusal(
      'unsafe_member',
      'The bundle holds a link, or a name that is no plain file below a folder.',
    );
  }
  const key = nameKey(filename);
  if (seen.has(key)) {
    throw new BundleRefusal('duplicate_member', `The bundle holds ${filename} twice.`);
  }
  seen.add(key);
  if (entry.encrypted || entry.compressionMethod !== STORED) {
    throw new BundleRefusal(
      'unsafe_member',
      `${filename} is packed or locked; a bundle holds its files as they are.`,
    );
  }
}

async function bytesOf(entry: FileEntry): Promise<Uint8Array> {
  // A stored member cannot unpack to more than its place in the file.
  if (entry.uncompressedSize > BUNDLE_LIMITS.fileBytes) {
    throw new BundleRefusal('bundle_too_large', `${entry.filename} is larger than 8 MiB.`);
  }
  return entry.getData(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    checkOverlappingEntry: true,
    checkCrc32: true,
  });
}

async function readEntries(zip: ZipReader<unknown>): Promise<Members> {
  const seen = new Set<string>();
  const members = new Map<string, Uint8Array>();
  const share = workShare();
  let total = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    if (entry.directory) {
      throw new BundleRefusal('unsafe_member', 'The bundle holds a folder; it holds files only.');
    }
    refuseMember(entry, seen);
    total += entry.uncompressedSize;
    if (seen.size > BUNDLE_LIMITS.files || total > BUNDLE_LIMITS.bytes) {
      throw new BundleRefusal(
        'bundle_too_large',
        'The bundle holds too many files, or over 64 MiB.',
      );
    }
    await share();
    members.set(entry.filename, await bytesOf(entry));
  }
  return members;
}

/**
 * The members of a bundle's archive. Everything that a bundle never has is refused: packed, locked,
 * linked, doubled and overlapping members, folders, and names that lead elsewhere on any system.
 * @throws BundleRefusal
 */
export async function readStoredZip(archive: Uint8Array): Promise<Members> {
  if (archive.length > 2 * BUNDLE_LIMITS.bytes) {
    throw new BundleRefusal('bundle_too_large', 'The file is larger than a bundle may be.');
  }
  const zip = new ZipReader(new Uint8ArrayReader(archive), { useWebWorkers: false });
  try {
    return await readEntries(zip);
  } catch (error) {
    if (error instanceof BundleRefusal) throw error;
    // The library names the member whose name leads out of the archive.
    if (error instanceof Error && 'filename' in error) {
      throw new BundleRefusal('unsafe_member', 'The bundle holds a name that leads out of it.');
    }
    throw new BundleRefusal('not_a_bundle', 'The file is no readable bundle.');
  } finally {
    await zip.close();
  }
}
