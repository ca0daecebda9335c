import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { placeFileSync, replaceFileSync } from '../../files/durable-write.ts';
import { refuseAtGateway } from '../../gateway/gateway-errors.ts';
import {
  type FileKey,
  readFileKey,
  readSecretFile,
  type SecretFile,
  secretFileText,
} from '../../runtime/secret-file.ts';
import { randomKey } from '../../runtime/secret-sealing.ts';
import { holdFile } from '../held-file-sqlite.ts';
import { makePrivateFile } from '../private-file.ts';

/** Two names in turn: the old key stands until nothing is sealed under it any more. */
export const KEY_FILES = ['secrets.key', 'secrets-b.key'] as const;

const PRIVATE = { mode: 0o600 };
const RETRY_MS = 20;
/** How long another process may take for its change, in milliseconds. */
const WAIT_MS = 5000;

/** What a change may do with the file of secrets while nobody else changes it. */
export interface OpenChange {
  /** As it stands now, with an id. */
  current(): SecretFile & { readonly id: string };
  /** Replaces it as a whole. */
  write(next: Partial<Pick<SecretFile, 'key' | 'secrets' | 'leftovers'>>): void;
  /** The key that seals; a file beside is made when there is none. @throws Refusal secrets_locked */
  key(): Buffer;
  /** Makes a key in the file beside that is not in use. */
  makeKey(): { readonly key: Buffer; readonly header: FileKey };
}

function openChange(file: string): OpenChange {
  const folder = path.dirname(file);
  const fresh = randomUUID().slice(0, 8);
  const current = () => {
    const found = readSecretFile(file);
    return { ...found, id: found.id ?? fresh };
  };
  const write: OpenChange['write'] = (next) => {
    const { id, key, secrets, leftovers } = { ...current(), ...next };
    replaceFileSync(file, secretFileText({ id, key, secrets, leftovers }), PRIVATE);
    for (const name of KEY_FILES) {
      const isUsed = key.kind === 'beside' && key.file === name;
      if (!isUsed) rmSync(path.join(folder, name), { force: true });
    }
  };
  const makeIn = (name: (typeof KEY_FILES)[number]) => {
    const key = randomKey();
    replaceFileSync(path.join(folder, name), key, PRIVATE);
    return { key, header: { kind: 'beside', file: name } as const };
  };
  return {
    current,
    write,
    key() {
      const { key } = current();
      const found = readFileKey(file, key);
      if (found !== undefined) return found;
      if (key.kind === 'passphrase') throw refuseAtGateway('secrets_locked');
      // What was sealed under a lost or damaged key cannot be opened any more.
      return makeIn(key.file === KEY_FILES[1] ? KEY_FILES[1] : KEY_FILES[0]).key;
    },
    makeKey() {
      const { key } = current();
      return makeIn(
        key.kind === 'beside' && key.file === KEY_FILES[0] ? KEY_FILES[1] : KEY_FILES[0],
      );
    },
  };
}

/** A file that cannot be read is set aside and kept; that of a later version is left alone. */
function refuseUnreadable(file: string): void {
  const { fault } = readSecretFile(file);
  if (fault === 'newer') throw refuseAtGateway('secrets_newer');
  if (fault !== 'damaged') return;
  for (let n = 1; ; n += 1) {
    const aside = `${file}.damaged-${n}`;
    if (existsSync(aside)) continue;
    placeFileSync(file, aside);
    return;
  }
}

async function holdAlone(file: string) {
  const lock = path.join(path.dirname(file), 'secrets.lock');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  makePrivateFile(lock);
  for (let waited = 0; waited < WAIT_MS; waited += RETRY_MS) {
    const held = holdFile(lock, 0);
    if (held !== undefined) return held;
    await wait(RETRY_MS);
  }
  throw refuseAtGateway('secrets_busy');
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Changes a file of secrets, one change at a time among all processes; the lock ends with the
 * process however that ends.
 * @throws Refusal secrets_busy, secrets_newer
 */
export function changeSecrets<Result>(
  file: string,
  change: (open: OpenChange) => Promise<Result>,
): Promise<Result> {
  const turn = async (): Promise<Result> => {
    const held = await holdAlone(file);
    try {
      refuseUnreadable(file);
      return await change(openChange(file));
    } finally {
      held.release();
    }
  };
  const mine = (queues.get(file) ?? Promise.resolve()).then(turn, turn);
  queues.set(file, mine);
  return mine;
}
