import { createHash } from 'node:crypto';
import path from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { KEY_BYTES, type PassphraseLock } from './secret-sealing.ts';

/** The key that a passphrase opened, for all threads of this process and nobody else. */
export interface SharedKey {
  /**
   * Undefined while nobody has given the passphrase of this very lock: another process may have put
   * another one around another key since.
   */
  read(lock: PassphraseLock): Buffer | undefined;
  open(key: Uint8Array, lock: PassphraseLock): void;
  /** Forgets the key. */
  close(): void;
  /** Changes with every `open` and `close`. */
  version(): number;
}

const HEAD_BYTES = 8;
const DIGEST_BYTES = 32;

/** Tells a lock from every other one: each has a salt of its own. */
function digestOf({ salt, sealed_key }: PassphraseLock): Buffer {
  return createHash('sha256').update(`${salt} ${sealed_key}`).digest();
}

/**
 * Memory of the process, never its environment, which children would inherit. Threads see it when
 * the thread that starts them has asked for it before.
 */
function memoryOf(name: string): SharedArrayBuffer {
  const known = getEnvironmentData(name);
  if (known instanceof SharedArrayBuffer) return known;
  const made = new SharedArrayBuffer(HEAD_BYTES + KEY_BYTES + DIGEST_BYTES);
  // `Serializable` does not name shared memory, which is cloned as every other value.
  setEnvironmentData(name, made as unknown as Parameters<typeof setEnvironmentData>[1]);
  return made;
}

/** The key of a file of secrets. */
export function sharedKeyOf(file: string): SharedKey {
  const memory = memoryOf(`specwright secrets ${path.resolve(file)}`);
  const head = new Int32Array(memory, 0, 2);
  const bytes = new Uint8Array(memory, HEAD_BYTES, KEY_BYTES);
  const digest = new Uint8Array(memory, HEAD_BYTES + KEY_BYTES, DIGEST_BYTES);
  /** The count is odd while the bytes change, so that no other thread takes half of them. */
  const put = (key: Uint8Array, of: Uint8Array, isOpen: 0 | 1): void => {
    Atomics.add(head, 0, 1);
    bytes.set(key);
    digest.set(of);
    Atomics.store(head, 1, isOpen);
    Atomics.add(head, 0, 1);
  };
  return {
    read(lock) {
      for (;;) {
        const count = Atomics.load(head, 0);
        const isOpen = Atomics.load(head, 1) === 1 && digestOf(lock).equals(digest);
        const key = Buffer.from(bytes);
        const isWhole = count % 2 === 0 && Atomics.load(head, 0) === count;
        if (isWhole) return isOpen ? key : undefined;
      }
    },
    open: (key, lock) => put(key, digestOf(lock), 1),
    close: () => put(new Uint8Array(KEY_BYTES), new Uint8Array(DIGEST_BYTES), 0),
    version: () => Atomics.load(head, 0),
  };
}
