import { fileVersion } from '../files/file-version.ts';
import { createSystemKeychain, type Keychain, type KeychainState } from './keychain.ts';
import {
  accountOf,
  decodeEntry,
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
export type Closed = 'file_locked' | 'keychain_locked' | 'keychain_absent' | 'unreadable';

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
  #asked: Promise<void> | undefined;
  readonly #keychain: Keychain;
  readonly #now: () => number;

  constructor(keychain: Keychain, now: () => number) {
    this.#keychain = keychain;
    this.#now = now;
  }

  forget(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  async fresh(accounts: readonly string[]): Promise<void> {
    if (this.#until > this.#now()) return;
    this.#asked ??= this.#ask(accounts).finally(() => {
      this.#asked = undefined;
    });
    await this.#asked;
  }

  async #ask(accounts: readonly string[]): Promise<void> {
    const { state, values } = await this.#keychain.look(accounts);
    this.state = state;
    this.values = values;
    this.#until = this.#now() + (state === 'open' ? KEPT_MS : SHUT_MS);
  }
}

interface Held {
  readonly file: SecretFile;
  readonly key: Buffer | undefined;
}

function answerOfFile({ file, key }: Held, name: string, record: SecretRecord): StoredAnswer {
  const value = openRecord(key, name, record);
  if (value !== undefined) return { kind: 'found', value };
  const isLocked = file.key.kind === 'passphrase' && key === undefined;
  return { kind: 'closed', because: isLocked ? 'file_locked' : 'unreadable' };
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
  const shared = sharedKeyOf(file);
  const memory = new KeychainMemory(keychain, now);
  let version: string | undefined;
  let held: Held = { file: readSecretFile(file), key: undefined };
  const current = (): Held => {
    const found = `${fileVersion(file)} ${shared.version()}`;
    if (found === version) return held;
    const content = readSecretFile(file);
    held = { file: content, key: readFileKey(file, content.key) };
    version = found;
    memory.forget();
    return held;
  };
  const answerOfKeychain = (name: string, record: SecretRecord): StoredAnswer => {
    const text = memory.values.get(accountOf(name, record));
    return text === undefined
      ? { kind: 'closed', because: CLOSED_BY[memory.state] }
      : { kind: 'found', value: decodeEntry(record, text) };
  };
  return {
    read(name) {
      const found = current();
      const record = found.file.secrets.get(name);
      if (record === undefined) return MISSING;
      return record.kept_in === 'keychain'
        ? answerOfKeychain(name, record)
        : answerOfFile(found, name, record);
    },
    async ready() {
      const accounts = [...current().file.secrets].flatMap(([name, record]) =>
        record.kept_in === 'keychain' ? [accountOf(name, record)] : [],
      );
      if (accounts.length > 0) await memory.fresh(accounts);
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
    ready: () => memory.fresh([]),
  };
}

const known = new Map<string, StoredSecrets>();

/** The stored secrets of a file, read once for all who ask. */
export function storedSecretsOf(file: string): StoredSecrets {
  const found = known.get(file) ?? createStoredSecrets(file);
  known.set(file, found);
  return found;
}
