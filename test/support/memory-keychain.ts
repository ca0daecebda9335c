import {
  type Keychain,
  KeychainFailure,
  type KeychainState,
} from '../../server/runtime/keychain.ts';

/** A keychain in memory that can be locked, be absent, and end the program at its nth call. */
export interface MemoryKeychain extends Keychain {
  readonly entries: Map<string, string>;
  state: KeychainState;
  /** The call, counted from now, at which the program is killed; before or after its effect. */
  killAt: { calls: number; after: boolean } | undefined;
}

/** What a killed program would not have lived to throw. */
export class Killed extends Error {}

export function memoryKeychain(state: KeychainState = 'open'): MemoryKeychain {
  const entries = new Map<string, string>();
  const step = <Value>(effect: () => Value): Value => {
    const { killAt } = made;
    const isNow = killAt !== undefined && killAt.calls-- === 0;
    if (isNow && !killAt.after) throw new Killed();
    if (made.state !== 'open') throw new KeychainFailure(made.state);
    const value = effect();
    if (isNow) throw new Killed();
    return value;
  };
  const made: MemoryKeychain = {
    entries,
    state,
    killAt: undefined,
    look: async () => ({
      state: made.state,
      values: made.state === 'open' ? new Map(entries) : new Map(),
    }),
    read: async (account) => step(() => entries.get(account)),
    write: async (account, value) => step(() => void entries.set(account, value)),
    remove: async (account) => step(() => void entries.delete(account)),
  };
  return made;
}
