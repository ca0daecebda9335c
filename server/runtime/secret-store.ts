import type { Clock } from '../kernel/clock.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { type KeychainDoor, systemKeychainDoor } from './keychain.ts';
import { readSecretFile, type SecretRecord, sealSecret, writeSecretFile } from './secret-file.ts';

/** A stored secret without its value. */
export interface StoredSecret {
  readonly name: string;
  readonly kept_in: SecretRecord['kept_in'];
  readonly stored_at: string;
}

/** Keeps secrets by name. Nothing that it answers holds a value. */
export interface SecretStore {
  /** Where the next secret will be kept: an encrypted file where no keychain answers (decisions 25). */
  keeper(): Promise<SecretRecord['kept_in']>;
  list(): StoredSecret[];
  /** Stores or replaces. */
  put(name: string, value: string): Promise<StoredSecret>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
}

/** A name that nobody stores: asking for it tells whether there is a keychain. */
const PROBE = 'SPECWRIGHT_PROBE';

/** Opens the store of secrets whose records stand in `file`; values go to the keychain when it answers. */
export function createSecretStore(
  file: string,
  clock: Clock,
  keychain: KeychainDoor = systemKeychainDoor,
): SecretStore {
  const change = (name: string, record: SecretRecord | undefined): void => {
    const records = new Map(readSecretFile(file));
    if (record === undefined) records.delete(name);
    else records.set(name, record);
    writeSecretFile(file, records);
  };
  const keepInKeychain = async (name: string, value: string): Promise<boolean> => {
    try {
      await keychain.setPassword(name, value);
      return (await keychain.getPassword(name)) === value;
    } catch {
      return false;
    }
  };
  const forget = async (name: string): Promise<void> => {
    if (readSecretFile(file).get(name)?.kept_in === 'keychain') await keychain.deletePassword(name);
  };
  return {
    async keeper() {
      try {
        await keychain.getPassword(PROBE);
        return 'keychain';
      } catch {
        return 'file';
      }
    },
    list: () =>
      [...readSecretFile(file)].map(([name, { kept_in, stored_at }]) => ({
        name,
        kept_in,
        stored_at,
      })),
    async put(name, value) {
      const stored_at = toTimestamp(clock.now());
      const record: SecretRecord = (await keepInKeychain(name, value))
        ? { kept_in: 'keychain', stored_at }
        : { kept_in: 'file', stored_at, sealed: sealSecret(file, name, value) };
      change(name, record);
      return { name, kept_in: record.kept_in, stored_at };
    },
    async remove(name) {
      if (!readSecretFile(file).has(name)) return false;
      await forget(name);
      change(name, undefined);
      return true;
    },
  };
}
