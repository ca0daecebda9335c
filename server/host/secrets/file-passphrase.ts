import { refuseAtGateway } from '../../gateway/gateway-errors.ts';
import {
  type FoundKey,
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
  from: FoundKey,
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
  /** The key of now. @throws Refusal passphrase_wrong, secrets_unreadable */
  const proven = async (open: OpenChange, current: string | undefined): Promise<FoundKey> => {
    const found = open.current();
    const { key } = found;
    // A key that is only out of reach now would be lost with all that is sealed under it.
    // So would what this version cannot seal again.
    if (found.unread.size > 0) throw refuseAtGateway('secrets_newer');
    if (key.kind === 'beside') return { kind: 'open', key: open.key() };
    const opened = current === undefined ? undefined : await openLock(key, current);
    if (opened !== undefined) return { kind: 'open', key: opened };
    // Without anything sealed there is nothing to protect, and a forgotten passphrase is let go.
    if (holdsSealed(found)) throw refuseAtGateway('passphrase_wrong');
    return { kind: 'lost' };
  };
  return {
    isLocked() {
      return readFileKey(file, readSecretFile(file).key).kind === 'locked';
    },
    async unlock(passphrase) {
      const { key, fault } = readSecretFile(file);
      if (fault === 'newer' || fault === 'unreadable') throw refuseAtGateway(`secrets_${fault}`);
      if (key.kind !== 'passphrase') return;
      const opened = await openLock(key, passphrase);
      if (opened === undefined) throw refuseAtGateway('passphrase_wrong');
      shared.open(opened, key);
    },
    lock: () => shared.close(),
    set: (passphrase, current) =>
      changeSecrets(file, async (open) => {
        const from = await proven(open, current);
        const key = randomKey();
        const header = await lockKey(key, passphrase);
        open.write({ key: header, secrets: sealedAgain(open.current(), from, key) });
        shared.open(key, header);
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
