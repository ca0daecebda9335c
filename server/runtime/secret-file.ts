import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { secretPlace } from '../contract/gateway/secrets.ts';
import { systemCode } from '../kernel/system-code.ts';
import { KEY_BYTES, unseal } from './secret-sealing.ts';
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
  z.object({
    kind: z.literal('passphrase'),
    kdf: z.literal('scrypt'),
    n: z
      .int()
      .min(2)
      .max(2 ** 19),
    r: z.int().min(1).max(16),
    p: z.int().min(1).max(4),
    salt: z.string(),
    sealed_key: z.string(),
  }),
]);

export type FileKey = z.output<typeof fileKey>;

/** A file of secrets as it stands. */
export interface SecretFile {
  /** Tells the keychain entries of this file from those of another; null in files of the first form. */
  readonly id: string | null;
  readonly key: FileKey;
  readonly secrets: ReadonlyMap<string, SecretRecord>;
  /** Accounts in the keychain that hold nothing of use: a change was cut short. */
  readonly leftovers: readonly string[];
  /** Why nothing may be written over it: no version of this program wrote it, or a later one. */
  readonly fault: 'damaged' | 'newer' | null;
}

const FIRST_KEY: FileKey = { kind: 'beside', file: 'secrets.key' };
const EMPTY: SecretFile = {
  id: null,
  key: FIRST_KEY,
  secrets: new Map(),
  leftovers: [],
  fault: null,
};
const FORMATS = ['secrets/1', 'secrets/2'];

const content = z.object({
  format: z.string(),
  id: z.string().nullish(),
  key: fileKey.optional(),
  secrets: z.record(z.string(), z.unknown()),
  leftovers: z.array(z.string()).default([]),
});

function parse(text: string): SecretFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ...EMPTY, fault: 'damaged' };
  }
  const read = content.safeParse(json);
  if (!read.success) return { ...EMPTY, fault: 'damaged' };
  if (!FORMATS.includes(read.data.format)) return { ...EMPTY, fault: 'newer' };
  const secrets = new Map<string, SecretRecord>();
  for (const [name, value] of Object.entries(read.data.secrets)) {
    const found = record.safeParse(value);
    if (found.success) secrets.set(name, found.data);
  }
  const { id, key = FIRST_KEY, leftovers } = read.data;
  return { id: id ?? null, key, secrets, leftovers, fault: null };
}

/** Reads the file; one that is not there holds nothing. @throws the system's error when it cannot be read */
export function readSecretFile(file: string): SecretFile {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return EMPTY;
    throw error;
  }
}

/** The text of a file of secrets. */
export function secretFileText({ secrets, ...rest }: Omit<SecretFile, 'fault'>): string {
  const text = { format: 'secrets/2', ...rest, secrets: Object.fromEntries(secrets) };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** The key of a file: the one beside it, or the one that a passphrase opened in this process. */
export function readFileKey(file: string, key: FileKey): Buffer | undefined {
  if (key.kind === 'passphrase') return sharedKeyOf(file).read();
  try {
    const found = readFileSync(path.join(path.dirname(file), key.file));
    return found.length === KEY_BYTES ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What a record of the file holds; undefined while the file is locked and when it is damaged. */
export function openRecord(
  key: Buffer | undefined,
  name: string,
  { sealed }: SecretRecord,
): string | undefined {
  return key === undefined || sealed === undefined ? undefined : unseal(key, name, sealed);
}

/** The account of a secret in the keychain. */
export function accountOf(name: string, { entry }: SecretRecord): string {
  return entry ?? name;
}

/** What stands in the keychain, as the value that was stored. */
export function decodeEntry({ entry }: SecretRecord, text: string): string {
  return entry === undefined ? text : Buffer.from(text, 'base64').toString('utf8');
}

/** A value as one line that every keychain carries. */
export function encodeEntry(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}
