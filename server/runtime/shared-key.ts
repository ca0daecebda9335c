import path from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { KEY_BYTES } from './secret-sealing.ts';

/** The key that a passphrase opened, for all threads of this process and nobody else. */
export interface SharedKey {
  /** Undefined while nobody has given the passphrase. */
  read(): Buffer | undefined;
  open(key: Uint8Array): void;
  /** Forgets the key. */
  close(): void;
  /** Changes with every `open` and `close`. */
  version(): number;
}

const HEAD_BYTES = 8;

/**
 * Memory of the process, never its environment, which children would inherit. Threads see it when
 * the thread that starts them has asked for it before.
 */
function memoryOf(name: string): SharedArrayBuffer {
  const known = getEnvironmentData(name);
  if (known instanceof SharedArrayBuffer) return known;
  const made = new SharedArrayBuffer(HEAD_BYTES + KEY_BYTES);
  // `Serializable` does not name shared memory, which is cloned as every other value.
  setEnvironmentData(name, made as unknown as Parameters<typeof setEnvironmentData>[1]);
  return made;
}

/** The key of a file of secrets. */
export function sharedKeyOf(file: string): SharedKey {
  const memory = memoryOf(`specwright secrets ${path.resolve(file)}`);
  const head = new Int32Array(memory, 0, 2);
  const bytes = new Uint8Array(memory, HEAD_BYTES, KEY_BYTES);
  const put = (key: Uint8Array, isOpen: 0 | 1): void => {
    Atomics.store(head, 1, 0);
    bytes.set(key);
    Atomics.store(head, 1, isOpen);
    Atomics.add(head, 0, 1);
  };
  return {
    read: () => (Atomics.load(head, 1) === 1 ? Buffer.from(bytes) : undefined),
    open: (key) => put(key, 1),
    close: () => put(new Uint8Array(KEY_BYTES), 0),
    version: () => Atomics.load(head, 0),
  };
}
