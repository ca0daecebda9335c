import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFileSync } from '../files/durable-write.ts';
import { isObject } from '../kernel/json.ts';

/** What is known of a stored secret; `sealed` holds it when no keychain does. */
export interface SecretRecord {
  readonly kept_in: 'keychain' | 'file';
  /** Time of the last change, in the one format of stored times. */
  readonly stored_at: string;
  /** nonce, ciphertext and tag, base64url; absent for those in the keychain. */
  readonly sealed?: string;
}

export type SecretRecords = ReadonlyMap<string, SecretRecord>;

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function keyFile(file: string): string {
  return path.join(path.dirname(file), 'secrets.key');
}

/** A new key; what was sealed under a lost or damaged one cannot be opened any more. */
function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  replaceFileSync(keyFile(file), key, { mode: 0o600 });
  return key;
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(keyFile(file));
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A secret under the key beside the file, bound to its name. */
export function sealSecret(file: string, name: string, value: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', readKey(file) ?? makeKey(file), nonce);
  cipher.setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
}

/** What was sealed; undefined when the key is gone or the record is damaged or another name's. */
export function openSecret(file: string, name: string, sealed: string): string | undefined {
  const key = readKey(file);
  const bytes = Buffer.from(sealed, 'base64url');
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): SecretRecord | undefined {
  if (!isObject(value)) return undefined;
  const { kept_in, stored_at, sealed } = value;
  if ((kept_in !== 'keychain' && kept_in !== 'file') || typeof stored_at !== 'string') {
    return undefined;
  }
  return { kept_in, stored_at, ...(typeof sealed === 'string' ? { sealed } : {}) };
}

/** The records of a file by name; none when there is no such file or it cannot be understood. */
export function readSecretFile(file: string): SecretRecords {
  const records = new Map<string, SecretRecord>();
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return records;
  }
  const secrets = isObject(content) && isObject(content['secrets']) ? content['secrets'] : {};
  for (const [name, value] of Object.entries(secrets)) {
    const record = recordOf(value);
    if (record !== undefined) records.set(name, record);
  }
  return records;
}

/** Replaces the file as a whole, for nobody but its owner to read. */
export function writeSecretFile(file: string, records: SecretRecords): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const content = { format: 'secrets/1', secrets: Object.fromEntries(records) };
  replaceFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
