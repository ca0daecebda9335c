import type { StoredSecretsDesk } from '../../gateway/secrets.ts';
import type { FilePassphrase } from './file-passphrase.ts';
import type { SecretStore } from './secret-store.ts';

/** What the window does with stored secrets. */
export function createSecretsDesk(
  store: SecretStore,
  passphrase: FilePassphrase,
): StoredSecretsDesk {
  return {
    list: () => store.overview(),
    places: () => store.places(),
    async move(name, to) {
      await store.move(name, to);
    },
    unlockKeychain: () => store.unlockKeychain(),
    unlockFile: (given) => passphrase.unlock(given),
    lockFile: () => passphrase.lock(),
    setPassphrase: (given, current) => passphrase.set(given, current),
    removePassphrase: (current) => passphrase.remove(current),
  };
}
