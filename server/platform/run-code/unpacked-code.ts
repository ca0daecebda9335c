import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { OpenCode } from '../../bundles/open-bundle.ts';
import { unpackBundle } from '../../bundles/unpack-bundle.ts';
import { placeFolder } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';

type Files = OpenCode['files'];

/** What the system says of a folder whose name another one has. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']);
const NAME = /^(?:[0-9a-f]{64}|\.[0-9a-f-]{36}\.(?:new|old))$/;

/** True for a folder that holds these files and no other. */
async function holds(folder: string, files: Files): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  if (entries.filter((entry) => !entry.isDirectory()).length !== files.size) return false;
  for (const [name, bytes] of files) {
    const found = await readFile(path.join(folder, ...name.split('/'))).catch(() => undefined);
    if (found?.equals(bytes) !== true) return false;
  }
  return true;
}

/** Gives a filled folder its name; false when another one has it. */
async function tookName(beside: string, target: string): Promise<boolean> {
  try {
    await placeFolder(beside, target);
    return true;
  } catch (error) {
    if (TAKEN.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * The folder of a content below `base`, shared by all who need it: whole or not there, whoever looks
 * and whenever the process is killed. One that is not as it was unpacked is replaced.
 */
export async function unpackedFolder(base: string, sha256: string, files: Files): Promise<string> {
  const target = path.join(base, sha256);
  if (await holds(target, files)) return target;
  await mkdir(base, { recursive: true, mode: 0o700 });
  const beside = path.join(base, `.${randomUUID()}.new`);
  try {
    await unpackBundle({ files }, beside);
    if ((await tookName(beside, target)) || (await holds(target, files))) return target;
    const old = path.join(base, `.${randomUUID()}.old`);
    await placeFolder(target, old);
    await placeFolder(beside, target);
    await rm(old, { recursive: true, force: true });
    return target;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Removes folders that nobody used for so long and whose content is not needed, and what a kill left. */
export async function removeUnpacked(
  base: string,
  olderThanMs: number,
  isNeeded: (sha256: string) => boolean,
): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names.filter((each) => NAME.test(each))) {
    const folder = path.join(base, name);
    const facts = await stat(folder).catch(() => undefined);
    if (facts === undefined || facts.mtimeMs > olderThanMs || isNeeded(name)) continue;
    const old = path.join(base, `.${randomUUID()}.old`);
    await placeFolder(folder, old);
    await rm(old, { recursive: true, force: true });
  }
}
