import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** A password hash as files and stores keep it: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export interface PasswordHash {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** A file that asks for more than this would stop the machine with one sign-in. */
const MOST = { memory: 1_048_576, passes: 64, parallelism: 64 };
const DEFAULTS = { memory: 65_536, passes: 3, parallelism: 4 };
const BYTES = { salt: 16, hash: 32 };

/** Reads a hash; undefined for anything that is not argon2id within reason. */
export function readPasswordHash(text: string): PasswordHash | undefined {
  const [, m, t, p, salt = '', hash = ''] = PHC.exec(text) ?? [];
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const read: PasswordHash = {
    memory,
    passes,
    parallelism,
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
  const within =
    parallelism >= 1 &&
    parallelism <= MOST.parallelism &&
    passes >= 1 &&
    passes <= MOST.passes &&
    memory >= 8 * parallelism &&
    memory <= MOST.memory;
  return within && read.salt.length >= 8 && read.hash.length >= 4 ? read : undefined;
}

function parameters(
  password: string,
  { memory, passes, parallelism, salt }: Omit<PasswordHash, 'hash'>,
  tagLength: number,
): Argon2Parameters {
  return { message: password, nonce: salt, memory, passes, parallelism, tagLength };
}

/** True when the password is the one of the hash; takes the same work either way, off the event loop. */
export async function isPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const made = await derive('argon2id', parameters(password, stored, stored.hash.length));
  return timingSafeEqual(made, stored.hash);
}

/** A hash of a password in the form that files keep. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(BYTES.salt);
  const hash = await derive('argon2id', parameters(password, { ...DEFAULTS, salt }, BYTES.hash));
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');
  const { memory, passes, parallelism } = DEFAULTS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(hash)}`;
}

function costOf({ memory, passes }: PasswordHash): number {
  return memory * passes;
}

/** What an unknown user is checked against, so that it takes as long as the dearest known one. */
export function decoyFor(hashes: readonly PasswordHash[]): PasswordHash {
  const [first, ...rest] = hashes;
  const salt = randomBytes(BYTES.salt);
  const dearest = rest.reduce<PasswordHash>(
    (dear, hash) => (costOf(hash) > costOf(dear) ? hash : dear),
    first ?? { ...DEFAULTS, salt, hash: randomBytes(BYTES.hash) },
  );
  return { ...dearest, salt, hash: randomBytes(dearest.hash.length) };
}
