import { fileVersion } from '../files/file-version.ts';
import { systemCode } from '../kernel/system-code.ts';
import {
  createSystemKeychain,
  type Keychain,
  type KeychainState,
  type KeychainView,
} from './keychain.ts';
import {
  accountOf,
  decodeEntry,
  type FoundKey,
  keychainAccounts,
  openRecord,
  readFileKey,
  readSecretFile,
  type SecretFile,
  type SecretRecord,
} from './secret-file.ts';
import { sharedKeyOf } from './shared-key.ts';

/** Names the file of stored secrets in the settings of a platform; the host sets it, nobody else. */
export const STORED_SECRETS = 'SPECWRIGHT_SECRETS';

/** Why a secret that is stored cannot be had now. */
export type Closed =
  | 'file_locked'
  /** Whether there is one of this name cannot be said. */
  | 'file_unreadable'
  | 'keychain_locked'
  | 'keychain_absent'
  | 'unreadable';

/** What a place of secrets says of a name. */
export type StoredAnswer =
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'closed'; readonly because: Closed };

/** Secrets by name. */
export interface StoredSecrets {
  /** As of the last `ready`, but for what stands in the file: that is read at once. */
  read(name: string): StoredAnswer;
  /** Asks the keychain where something is kept there, at most twice a minute. Never rejects. */
  ready(): Promise<void>;
}

const MISSING: StoredAnswer = { kind: 'missing' };
/** How long an answer of the keychain counts, in milliseconds. */
const KEPT_MS = 30_000;
/** The same for one that is locked or absent: a person may be unlocking it. */
const SHUT_MS = 3000;

const CLOSED_BY: Readonly<Record<KeychainState, Closed>> = {
  open: 'unreadable',
  locked: 'keychain_locked',
  absent: 'keychain_absent',
};

/** What a keychain said last, asked by one caller at a time. */
class KeychainMemory {
  state: KeychainState = 'absent';
  values: ReadonlyMap<string, string> = new Map();
  #until = Number.NEGATIVE_INFINITY;
  #asked: Promise<KeychainView> | undefined;
  readonly #keychain: Keychain;
  readonly #now: () => number;

  constructor(keychain: Keychain, now: () => number) {
    this.#keychain = keychain;
    this.#now = now;
  }

  /** What it is asked next is asked anew; an answer that is under way counts for nothing. */
  forget(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#asked = undefined;
  }

  isFresh(): boolean {
    return this.#until > this.#now();
  }

  async fresh(accounts: () => readonly string[]): Promise<void> {
    while (!this.isFresh()) {
      this.#asked ??= this.#keychain.look(accounts());
      const asked = this.#asked;
      const { state, values } = await asked;
      // Forgotten since: these are the values of before a change.
      if (this.#asked !== asked) continue;
      this.#asked = undefined;
      this.state = state;
      this.values = values;
      this.#until = this.#now() + (state === 'open' ? KEPT_MS : SHUT_MS);
      return;
    }
  }
}

interface Held {
  readonly file: SecretFile;
  readonly key: FoundKey;
}

function answerOfFile({ key }: Held, name: string, record: SecretRecord): StoredAnswer {
  const value = openRecord(key, name, record);
  if (value !== undefined) return { kind: 'found', value };
  if (key.kind === 'locked') return { kind: 'closed', because: 'file_locked' };
  const because = key.kind === 'unreadable' ? 'file_unreadable' : 'unreadable';
  return { kind: 'closed', because };
}

/** A file as it stands, read again once it, or the passphrase that was given, changed. */
class CurrentFile {
  readonly #file: string;
  readonly #onChange: () => void;
  #version: string | undefined;
  #held: Held | undefined;

  constructor(file: string, onChange: () => void) {
    this.#file = file;
    this.#onChange = onChange;
  }

  read(): Held {
    const version = `${this.#fileVersion()} ${sharedKeyOf(this.#file).version()}`;
    if (this.#held !== undefined && version === this.#version) return this.#held;
    const file = readSecretFile(this.#file);
    const held = { file, key: readFileKey(this.#file, file.key) };
    // Somebody may make a file or a key readable without a change of the file.
    const { kind } = held.key;
    const isSettled = file.secrets.size === 0 || kind === 'open' || kind === 'locked';
    const isLasting = file.fault !== 'unreadable' && isSettled;
    this.#held = isLasting ? held : undefined;
    if (version !== this.#version) this.#onChange();
    this.#version = version;
    return held;
  }

  #fileVersion(): string | undefined {
    try {
      return fileVersion(this.#file);
    } catch (error) {
      return systemCode(error) ?? 'unreadable';
    }
  }
}

/**
 * Reads the secrets that a person stored, in any thread. A change of the file, and a passphrase that
 * opened it, count at the next question; what the keychain answers counts for half a minute.
 */
export function createStoredSecrets(
  file: string,
  now: () => number = Date.now,
  keychain: Keychain = createSystemKeychain(),
): StoredSecrets {
  const memory = new KeychainMemory(keychain, now);
  const current = new CurrentFile(file, () => memory.forget());
  /** As it stood when the keychain was last asked, for what moved into it since. */
  let asked: Held | undefined;
  const answerOf = (held: Held, name: string): StoredAnswer => {
    const record = held.file.secrets.get(name);
    if (held.file.fault !== null) return { kind: 'closed', because: 'file_unreadable' };
    if (held.file.unread.has(name)) return { kind: 'closed', because: 'unreadable' };
    if (record === undefined) return MISSING;
    if (record.kept_in === 'file') return answerOfFile(held, name, record);
    const text = memory.values.get(accountOf(name, record));
    if (text !== undefined) return { kind: 'found', value: decodeEntry(record, text) };
    if (asked !== undefined && asked !== held && !memory.isFresh()) return answerOf(asked, name);
    return { kind: 'closed', because: CLOSED_BY[memory.state] };
  };
  return {
    read: (name) => answerOf(current.read(), name),
    async ready() {
      let held = current.read();
      do {
        if (keychainAccounts(held.file).length === 0) return;
        await memory.fresh(() => keychainAccounts(current.read().file));
        held = current.read();
        // Else the file changed while the keychain was asked.
      } while (!memory.isFresh());
      asked = held;
    },
  };
}

/** What stands in the operating system's keychain by name, put there by other programs (SERV_KEYCHAIN). */
export function createKeychainSecrets(
  now: () => number = Date.now,
  keychain: Keychain = createSystemKeychain(),
): StoredSecrets {
  const memory = new KeychainMemory(keychain, now);
  return {
    read(name) {
      const value = memory.values.get(name);
      return value === undefined ? MISSING : { kind: 'found', value };
    },
    ready: () => memory.fresh(() => []),
  };
}

const known = new Map<string, StoredSecrets>();

/** The stored secrets of a file, read once for all who ask. */
export function storedSecretsOf(file: string): StoredSecrets {
  const found = known.get(file) ?? createStoredSecrets(file);
  known.set(file, found);
  return found;
}
