import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { placeFileSync } from '../../files/durable-write.ts';
import { refuseAtGateway } from '../../gateway/gateway-errors.ts';
import { systemCode } from '../../kernel/system-code.ts';
import {
  type FileKey,
  KEY_FILE,
  readFileKey,
  readSecretFile,
  type SecretFile,
  secretFileText,
} from '../../runtime/secret-file.ts';
import { randomKey } from '../../runtime/secret-sealing.ts';
import { type HeldFile, holdFile } from '../held-file-sqlite.ts';
import { makePrivateFile, writePrivateFile } from '../private-file.ts';

const RETRY_MS = 20;
/** How long another process may take for its change, in milliseconds. */
const WAIT_MS = 5000;

/** What a change may do with the file of secrets while nobody else changes it. */
export interface OpenChange {
  /** As it stands now, with an id. */
  current(): SecretFile & { readonly id: string };
  /** Replaces it as a whole. */
  write(next: Partial<Pick<SecretFile, 'key' | 'secrets' | 'unread' | 'leftovers'>>): void;
  /** The key that seals; a file beside is made when there is none. @throws Refusal secrets_locked, secrets_unreadable */
  key(): Buffer;
  /** Makes a key in the file beside, for a file that a passphrase opened until now. */
  makeKey(): { readonly key: Buffer; readonly header: FileKey };
}

/** Moves what no version of this program wrote out of the way, and keeps it. */
function setAside(file: string): void {
  for (let n = 1; ; n += 1) {
    const aside = `${file}.damaged-${n}`;
    if (existsSync(aside)) continue;
    placeFileSync(file, aside);
    return;
  }
}

function openChange(file: string): OpenChange {
  const beside = path.join(path.dirname(file), KEY_FILE);
  const fresh = randomUUID().slice(0, 8);
  const current = () => {
    const found = readSecretFile(file);
    return { ...found, id: found.id ?? fresh };
  };
  const write: OpenChange['write'] = (next) => {
    const { id, key, secrets, leftovers, unread } = { ...current(), ...next };
    const left = new Map([...unread].filter(([name]) => !secrets.has(name)));
    writePrivateFile(file, secretFileText({ id, key, secrets, leftovers, unread: left }));
    if (key.kind === 'passphrase') rmSync(beside, { force: true });
  };
  const makeKey = () => {
    const key = randomKey();
    writePrivateFile(beside, key);
    return { key, header: { kind: 'beside', file: KEY_FILE } as const };
  };
  return {
    current,
    write,
    makeKey,
    key() {
      const found = readFileKey(file, current().key);
      switch (found.kind) {
        case 'open':
          return found.key;
        case 'locked':
          throw refuseAtGateway('secrets_locked');
        case 'unreadable':
          throw refuseAtGateway('secrets_unreadable');
        case 'damaged':
          setAside(beside);
          return makeKey().key;
        // What was sealed under a lost key cannot be opened any more.
        case 'lost':
          return makeKey().key;
      }
    },
  };
}

/** A damaged file is set aside; one that says nothing to this version here is left alone. */
function refuseFaulty(file: string): void {
  const { fault } = readSecretFile(file);
  if (fault === 'newer' || fault === 'unreadable') throw refuseAtGateway(`secrets_${fault}`);
  if (fault === 'damaged') setAside(file);
}

/** Of the disk, of the file system, and of the lock, which is a database. */
const UNWRITABLE =
  /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EIO|SQLITE_(?:FULL|READONLY|CANTOPEN|IOERR)\w*)$/;

/** What the system refused, as a refusal with its word alone. */
function refusalOf(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || !UNWRITABLE.test(code)) return error;
  return refuseAtGateway('secrets_unwritable', { cause: code });
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
 * @throws Refusal secrets_busy, secrets_newer, secrets_unreadable, secrets_unwritable
 */
export function changeSecrets<Result>(
  file: string,
  change: (open: OpenChange) => Promise<Result>,
): Promise<Result> {
  const turn = async (): Promise<Result> => {
    let held: HeldFile | undefined;
    try {
      held = await holdAlone(file);
      refuseFaulty(file);
      return await change(openChange(file));
    } catch (error) {
      throw refusalOf(error);
    } finally {
      held?.release();
    }
  };
  const mine = (queues.get(file) ?? Promise.resolve()).then(turn, turn);
  queues.set(file, mine);
  return mine;
}
