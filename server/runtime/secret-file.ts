import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type SecretFault, secretPlace } from '../contract/gateway/secrets.ts';
import { systemCode } from '../kernel/system-code.ts';
import { KEY_BYTES, passphraseLock, unseal } from './secret-sealing.ts';
import { sharedKeyOf } from './shared-key.ts';

const record = z.object({
  kept_in: secretPlace,
  /** Time of the last change, in the one format of stored times. */
  stored_at: z.string(),
  /** The value of one that is kept in the file. */
  sealed: z.string().optional(),
  /**
   * Account in the keychain, whose text is base64; without it the name is, and the text is plain. Of
   * one that is kept in the file: a copy that is still to be removed there.
   */
  entry: z.string().optional(),
});

/** What is known of a stored secret. */
export type SecretRecord = z.output<typeof record>;

const fileKey = z.discriminatedUnion('kind', [
  /** The key stands in a file beside. */
  z.object({ kind: z.literal('beside'), file: z.string().regex(/^secrets[\w-]*\.key$/) }),
  passphraseLock,
]);

export type FileKey = z.output<typeof fileKey>;

/** The key that lies beside the file while no passphrase opens it. */
export const KEY_FILE = 'secrets.key';

/** A file of secrets as it stands. */
export interface SecretFile {
  /** Tells the keychain entries of this file from those of another; null in files of the first form. */
  readonly id: string | null;
  readonly key: FileKey;
  readonly secrets: ReadonlyMap<string, SecretRecord>;
  /** Accounts in the keychain that hold nothing of use: a change was cut short. */
  readonly leftovers: readonly string[];
  /** Records that this version cannot read, by name: they are kept as they are. */
  readonly unread: ReadonlyMap<string, unknown>;
  /** Why nothing of it can be said. */
  readonly fault: SecretFault | null;
}

const FIRST_KEY: FileKey = { kind: 'beside', file: KEY_FILE };
const EMPTY: SecretFile = {
  id: null,
  key: FIRST_KEY,
  secrets: new Map(),
  leftovers: [],
  unread: new Map(),
  fault: null,
};
const FORMATS = ['secrets/1', 'secrets/2'];

/** What every version writes; asked first, since the rest of a later one may look different. */
const frame = z.object({ format: z.string().startsWith('secrets/') });

const content = z.object({
  id: z.string().nullish(),
  key: fileKey.optional(),
  secrets: z.record(z.string(), z.unknown()),
  leftovers: z.array(z.string()).default([]),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): SecretFile {
  const json = jsonOf(text);
  const framed = frame.safeParse(json);
  if (!framed.success) return { ...EMPTY, fault: 'damaged' };
  if (!FORMATS.includes(framed.data.format)) return { ...EMPTY, fault: 'newer' };
  const read = content.safeParse(json);
  if (!read.success) return { ...EMPTY, fault: 'damaged' };
  const secrets = new Map<string, SecretRecord>();
  const unread = new Map<string, unknown>();
  for (const [name, value] of Object.entries(read.data.secrets)) {
    const found = record.safeParse(value);
    if (found.success) secrets.set(name, found.data);
    else unread.set(name, value);
  }
  const { id, key = FIRST_KEY, leftovers } = read.data;
  return { id: id ?? null, key, secrets, leftovers, unread, fault: null };
}

/**
 * The bytes of a file; undefined when nothing stands there. A link that leads nowhere (a drive that
 * is not there now) is no file that is missing. @throws the system's error
 */
function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT';
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    throw error;
  }
}

/** Reads the file; one that is not there holds nothing. Never throws: `fault` says what is wrong. */
export function readSecretFile(file: string): SecretFile {
  try {
    const bytes = bytesOf(file);
    return bytes === undefined ? EMPTY : parse(bytes.toString('utf8'));
  } catch {
    return { ...EMPTY, fault: 'unreadable' };
  }
}

/** The text of a file of secrets. */
export function secretFileText({ secrets, unread, ...rest }: Omit<SecretFile, 'fault'>): string {
  const records = Object.fromEntries<unknown>([...unread, ...secrets]);
  const text = { format: 'secrets/2', ...rest, secrets: records };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** What opens a file of secrets now, or why nothing does. */
export type FoundKey =
  | { readonly kind: 'open'; readonly key: Buffer }
  /** Nobody gave its passphrase to this process. */
  | { readonly kind: 'locked' }
  /** `lost`: there is none beside the file; `damaged`: what is there is no key; `unreadable`: the system gives none now. */
  | { readonly kind: 'lost' | 'damaged' | 'unreadable' };

/** The key of a file: the one beside it, or the one that a passphrase opened in this process. */
export function readFileKey(file: string, key: FileKey): FoundKey {
  if (key.kind === 'passphrase') {
    const shared = sharedKeyOf(file).read(key);
    return shared === undefined ? { kind: 'locked' } : { kind: 'open', key: shared };
  }
  try {
    const found = bytesOf(path.join(path.dirname(file), key.file));
    if (found === undefined) return { kind: 'lost' };
    return found.length === KEY_BYTES ? { kind: 'open', key: found } : { kind: 'damaged' };
  } catch {
    return { kind: 'unreadable' };
  }
}

/** What a record of the file holds; undefined while nothing opens the file, and when it is damaged. */
export function openRecord(
  found: FoundKey,
  name: string,
  { sealed }: SecretRecord,
): string | undefined {
  if (found.kind !== 'open' || sealed === undefined) return undefined;
  return unseal(found.key, name, sealed);
}

/** The account of a secret in the keychain. */
export function accountOf(name: string, { entry }: SecretRecord): string {
  return entry ?? name;
}

/** The accounts in the keychain that hold secrets of a file. */
export function keychainAccounts({ secrets }: SecretFile): string[] {
  return [...secrets].flatMap(([name, record]) =>
    record.kept_in === 'keychain' ? [accountOf(name, record)] : [],
  );
}

/** What stands in the keychain, as the value that was stored. */
export function decodeEntry({ entry }: SecretRecord, text: string): string {
  return entry === undefined ? text : Buffer.from(text, 'base64').toString('utf8');
}

/** A value as one line that every keychain carries. */
export function encodeEntry(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}
