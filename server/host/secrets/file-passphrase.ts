import { refuseAtGateway } from '../../gateway/gateway-errors.ts';
import {
  openRecord,
  readFileKey,
  readSecretFile,
  type SecretFile,
  type SecretRecord,
} from '../../runtime/secret-file.ts';
import { lockKey, openLock, randomKey, seal } from '../../runtime/secret-sealing.ts';
import { sharedKeyOf } from '../../runtime/shared-key.ts';
import { changeSecrets, type OpenChange } from './secret-writes.ts';

/** The passphrase of a file of secrets; the open key is this process's, in all of its threads. */
export interface FilePassphrase {
  /** True when nobody has given the passphrase to this process. */
  isLocked(): boolean;
  /** @throws Refusal passphrase_wrong */
  unlock(passphrase: string): Promise<void>;
  /** Forgets the key until the next `unlock`. */
  lock(): void;
  /**
   * Sets or changes it: all that the file holds is sealed again under a new key.
   * @throws Refusal passphrase_wrong when there is one and `current` is not it
   */
  set(passphrase: string, current: string | undefined): Promise<void>;
  /** From now on the key stands in a file beside. @throws Refusal passphrase_wrong */
  remove(current: string): Promise<void>;
}

/** The same secrets under another key. What could not be opened before stays as it is. */
function sealedAgain(
  { secrets }: SecretFile,
  from: Buffer | undefined,
  to: Buffer,
): ReadonlyMap<string, SecretRecord> {
  return new Map(
    [...secrets].map(([name, record]) => {
      const value = openRecord(from, name, record);
      return [name, value === undefined ? record : { ...record, sealed: seal(to, name, value) }];
    }),
  );
}

function holdsSealed({ secrets }: SecretFile): boolean {
  return [...secrets.values()].some(({ sealed }) => sealed !== undefined);
}

/** The passphrase of the secrets in `file`. */
export function createFilePassphrase(file: string): FilePassphrase {
  const shared = sharedKeyOf(file);
  /** The key of now. @throws Refusal passphrase_wrong */
  const proven = async (open: OpenChange, current: string | undefined) => {
    const found = open.current();
    const { key } = found;
    if (key.kind === 'beside') return readFileKey(file, key);
    const opened = current === undefined ? undefined : await openLock(key, current);
    // Without anything sealed there is nothing to protect, and a forgotten passphrase is let go.
    if (opened === undefined && holdsSealed(found)) throw refuseAtGateway('passphrase_wrong');
    return opened;
  };
  return {
    isLocked() {
      const { key } = readSecretFile(file);
      return key.kind === 'passphrase' && shared.read() === undefined;
    },
    async unlock(passphrase) {
      const { key } = readSecretFile(file);
      if (key.kind !== 'passphrase') return;
      const opened = await openLock(key, passphrase);
      if (opened === undefined) throw refuseAtGateway('passphrase_wrong');
      shared.open(opened);
    },
    lock: () => shared.close(),
    set: (passphrase, current) =>
      changeSecrets(file, async (open) => {
        const from = await proven(open, current);
        const key = randomKey();
        const header = await lockKey(key, passphrase);
        open.write({ key: header, secrets: sealedAgain(open.current(), from, key) });
        shared.open(key);
      }),
    remove: (current) =>
      changeSecrets(file, async (open) => {
        if (open.current().key.kind === 'beside') return;
        const from = await proven(open, current);
        const { key, header } = open.makeKey();
        open.write({ key: header, secrets: sealedAgain(open.current(), from, key) });
        shared.close();
      }),
  };
}
