import { fileVersion } from '../files/file-version.ts';
import { createKeychain, type OpenEntry, openKeptEntry } from './keychain.ts';
import { openSecret, readSecretFile, type SecretRecord } from './secret-file.ts';

type ReadStored = (name: string) => string | undefined;

/** Names the file of stored secrets in the settings of a platform; the host sets it, nobody else. */
export const STORED_SECRETS = 'SPECWRIGHT_SECRETS';

/**
 * Reads the secrets that a person stored (`secret-store.ts`), in any thread. A change of the file is
 * seen at the next question; what the keychain answers counts for half a minute.
 */
export function createStoredSecrets(
  file: string,
  now: () => number = Date.now,
  open: OpenEntry = openKeptEntry,
): ReadStored {
  let version: string | undefined;
  let values = new Map<string, () => string | undefined>();
  const reader = (name: string, record: SecretRecord): (() => string | undefined) => {
    if (record.kept_in === 'file') {
      const value = openSecret(file, name, record.sealed ?? '');
      return () => value;
    }
    const keychain = createKeychain(now, open);
    return () => keychain(name);
  };
  return (name) => {
    const found = fileVersion(file);
    if (found !== version) {
      const records = found === undefined ? [] : [...readSecretFile(file)];
      values = new Map(records.map(([key, record]) => [key, reader(key, record)]));
      version = found;
    }
    return values.get(name)?.();
  };
}

const known = new Map<string, ReadStored>();

/** The stored secrets of a file, read once for all who ask. */
export function storedSecretsOf(file: string): ReadStored {
  const found = known.get(file) ?? createStoredSecrets(file);
  known.set(file, found);
  return found;
}
