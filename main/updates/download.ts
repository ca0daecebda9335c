import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { t } from '../../preload/texts/t.ts';
import { placeFile } from '../../server/files/durable-write.ts';
import { freeBytes } from '../../server/files/free-space.ts';
import { systemCode } from '../../server/kernel/system-code.ts';
import type { FeedFile } from './feed.ts';
import { ask, type Fetch, pieces } from './http.ts';
import { UpdateProblem } from './refusal.ts';

export interface Download {
  readonly fetch: Fetch;
  readonly address: URL;
  readonly file: FeedFile;
  /** Where it is kept, the part that is there included. */
  readonly folder: string;
  readonly signal: AbortSignal;
  onProgress(received: number): void;
}

/** Room that stays free beside the download. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** The part of a file that is here, by what the whole one is: another version starts anew. */
function partOf({ folder, file }: Download): string {
  const id = Buffer.from(file.sha512, 'base64').toString('hex').slice(0, 32);
  return path.join(folder, `${id}.part`);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

async function sha512Of(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file, { signal })) hash.update(piece);
  return hash.digest('base64');
}

function diskFull(bytes: number): UpdateProblem {
  return new UpdateProblem(
    'disk_full',
    t(
      'The disk has no room for the update, which needs {ceil} MB. Free some space and download it again: it goes on where it stopped.',
      { ceil: Math.ceil(bytes / 1_000_000) },
    ),
  );
}

function wrong(): UpdateProblem {
  return new UpdateProblem(
    'file_wrong',
    t(
      'The update was refused: what was downloaded is not what was signed (its checksum differs). It was deleted.',
    ),
  );
}

function tooLarge(): UpdateProblem {
  return new UpdateProblem(
    'file_too_large',
    t('The update was refused: more was sent than was signed. It was deleted.'),
  );
}

function goesOn(response: Response, from: number, whole: number): boolean {
  return (
    response.status === 206 &&
    response.headers.get('content-range') === `bytes ${from}-${whole - 1}/${whole}`
  );
}

/** Asks for what is missing. A server that cannot go on gives everything again. */
async function askRest(download: Download, have: number): Promise<[Response, number]> {
  const { fetch, address, file, signal } = download;
  const headers = have === 0 ? {} : { range: `bytes=${have}-` };
  let response = await ask(fetch, address, signal, headers);
  if (have > 0 && goesOn(response, have, file.bytes)) return [response, have];
  if (have > 0 && response.status !== 200) response = await ask(fetch, address, signal);
  if (response.status === 404) {
    throw new UpdateProblem('file_absent', t('The update was refused: its package is not there.'));
  }
  if (response.status !== 200) {
    throw new UpdateProblem(
      'unreachable',
      t('The place of the updates does not give the package.'),
    );
  }
  return [response, 0];
}

async function append(download: Download, part: string, have: number): Promise<void> {
  const { file, signal, folder } = download;
  const missing = file.bytes - have;
  if ((await freeBytes(folder)) < missing + SPARE_BYTES) throw diskFull(missing);
  const [response, from] = await askRest(download, have);
  const handle = await open(part, from === 0 ? 'w' : 'a', 0o600);
  try {
    let received = from;
    download.onProgress(received);
    for await (const piece of pieces(response, signal)) {
      received += piece.length;
      if (received > file.bytes) throw tooLarge();
      await handle.writeFile(piece);
      download.onProgress(received);
    }
    await handle.sync();
  } catch (error) {
    if (systemCode(error) === 'ENOSPC') throw diskFull(file.bytes);
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Brings a package here, going on where an earlier try was stopped, and proves it by size and
 * checksum; only then it gets its name. Answers its path. A stopped one keeps its part.
 * @throws UpdateProblem, or the reason of `signal`
 */
export async function downloadPackage(download: Download): Promise<string> {
  const { folder, file, signal } = download;
  const whole = path.join(folder, file.name);
  const part = partOf(download);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetOthers(folder, [path.basename(part), file.name]);
  // Proved each time: it may have lain here since the last start.
  if ((await sizeOf(whole)) === file.bytes && (await sha512Of(whole, signal)) === file.sha512) {
    download.onProgress(file.bytes);
    return whole;
  }
  await rm(whole, { force: true });
  const have = await sizeOf(part);
  try {
    if (have > file.bytes) throw tooLarge();
    if (have < file.bytes) await append(download, part, have);
    if ((await sizeOf(part)) < file.bytes) {
      throw new UpdateProblem(
        'unreachable',
        t('The download broke off. Download again: it goes on where it stopped.'),
      );
    }
    if ((await sha512Of(part, signal)) !== file.sha512) throw wrong();
  } catch (error) {
    if (error instanceof UpdateProblem && error.isRefusal) await rm(part, { force: true });
    throw error;
  }
  await placeFile(part, whole);
  return whole;
}

/** Deletes everything in the folder of downloads but some. */
export async function forgetOthers(folder: string, kept: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!kept.includes(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
