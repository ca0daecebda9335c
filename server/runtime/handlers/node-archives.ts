import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  BlobReader,
  BlobWriter,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js';
import { StepFailure } from '../../handlers/handler.ts';
import type { ArchivedFile, ArchivePort } from '../../handlers/ports.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;
const HERE = { useWebWorkers: false };

const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);

function tooLarge(): StepFailure {
  return new StepFailure(
    `The archive holds more than ${MAX_BYTES / 1024 / 1024} MiB or ${MAX_FILES} files. Unpack less at once.`,
  );
}

function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zlib.gunzip(bytes, { maxOutputLength: MAX_BYTES }, (error, unpacked) => {
      if (error === null) resolve(new Uint8Array(unpacked));
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge());
      else reject(new StepFailure('The file is no gzip file, or it is damaged'));
    });
  });
}

async function zip(files: readonly ArchivedFile[]): Promise<Uint8Array> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), HERE);
  for (const { name, bytes } of files) await writer.add(name, new Uint8ArrayReader(bytes));
  return (await writer.close()).bytes();
}

/** The bytes of a member, which may unpack to no more than `left`. */
async function unpack(entry: FileEntry, left: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const sink = new WritableStream<Uint8Array>({
    write(part) {
      bytes += part.length;
      if (bytes > left) throw tooLarge();
      parts.push(part);
    },
  });
  await entry.getData(sink, { checkCrc32: true });
  return new Uint8Array(Buffer.concat(parts));
}

async function membersOf(bytes: Uint8Array): Promise<readonly ArchivedFile[]> {
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)])), HERE);
  const found: ArchivedFile[] = [];
  let left = MAX_BYTES;
  for await (const entry of reader.getEntriesGenerator()) {
    if (entry.directory) continue;
    if (found.length >= MAX_FILES || entry.uncompressedSize > left) throw tooLarge();
    const content = await unpack(entry, left);
    left -= content.length;
    found.push({ name: entry.filename, bytes: content });
  }
  await reader.close();
  return found;
}

/** Packs and unpacks in memory; nothing is written. */
export const nodeArchives: ArchivePort = {
  gzip,
  gunzip,
  zip,
  async unzip(bytes) {
    try {
      return await membersOf(bytes);
    } catch (error) {
      if (error instanceof StepFailure) throw error;
      throw new StepFailure('The file is no zip archive, or it is damaged or locked');
    }
  },
};
