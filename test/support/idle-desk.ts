import type { SecretPlaces } from '../../server/contract/gateway/secrets.ts';
import type { StoredSecretsDesk } from '../../server/gateway/secrets.ts';
import type { TrustedFolderDesk } from '../../server/gateway/trusted-folders.ts';

const PLACES: SecretPlaces = {
  ...{ keychain: 'absent', file: 'open', fault: null, has_passphrase: false, next: 'file' },
};
const idle = async (): Promise<void> => undefined;

/** A desk of stored secrets for gateways of tests that store none. */
export const idleDesk: StoredSecretsDesk = {
  list: async () => ({ places: PLACES, secrets: [] }),
  places: async () => PLACES,
  move: idle,
  unlockKeychain: idle,
  unlockFile: idle,
  lockFile: () => undefined,
  setPassphrase: idle,
  removePassphrase: idle,
};

/** For gateways of tests that trust no folder. */
export const noTrustedFolders: TrustedFolderDesk = { list: () => [], remove: () => false };
