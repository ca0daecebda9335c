import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;

/** How the key of a file comes out of a passphrase, and that key sealed under it. */
export const passphraseLock = z.object({
  kind: z.literal('passphrase'),
  kdf: z.literal('scrypt'),
  n: z
    .int()
    .min(2)
    .max(2 ** 19),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
  /** base64url */
  salt: z.string(),
  /** The file's own key, sealed. */
  sealed_key: z.string(),
});

export type PassphraseLock = z.output<typeof passphraseLock>;

/** 128 MiB and some tenths of a second for each guess. */
const COST = { n: 2 ** 17, r: 8, p: 1 } as const;
/** A file of somebody else may not make this process work longer than four times that. */
const MOST_MEMORY = 512 * 1024 * 1024;
const KEY_NAME = 'specwright secrets key';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** A key that nobody has. */
export function randomKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Nonce, ciphertext and tag as base64url; opens under the same key and name only. */
export function seal(key: Uint8Array, name: string, value: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
}

/** What was sealed; undefined under another key, for another name, or when it is damaged. */
export function unseal(key: Uint8Array, name: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
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

/** The same letters give the same key, however a keyboard composes them. */
function derived(passphrase: string, lock: Omit<PassphraseLock, 'sealed_key'>): Promise<Buffer> {
  const { n, r, p, salt } = lock;
  const options = { N: n, r, p, maxmem: MOST_MEMORY };
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64url'), KEY_BYTES, options);
}

/** A lock that the passphrase opens, around a file's key. */
export async function lockKey(key: Uint8Array, passphrase: string): Promise<PassphraseLock> {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const lock = { kind: 'passphrase', kdf: 'scrypt', ...COST, salt } as const;
  const under = await derived(passphrase, lock);
  return { ...lock, sealed_key: seal(under, KEY_NAME, Buffer.from(key).toString('base64url')) };
}

/** The key behind a lock; undefined for another passphrase and for a damaged lock. */
export async function openLock(
  lock: PassphraseLock,
  passphrase: string,
): Promise<Buffer | undefined> {
  let under: Buffer;
  try {
    under = await derived(passphrase, lock);
  } catch {
    // Parameters that no version of this program writes.
    return undefined;
  }
  const text = unseal(under, KEY_NAME, lock.sealed_key);
  const key = Buffer.from(text ?? '', 'base64url');
  return key.length === KEY_BYTES ? key : undefined;
}
