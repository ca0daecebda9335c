import { createRequire } from 'node:module';

/** One entry of the operating system's keychain, read at once. */
interface KeychainEntry {
  getPassword(): string | null;
}

/** Opens the entry of a name; throws where there is no keychain. */
export type OpenEntry = (name: string) => KeychainEntry;

/** What a keychain is asked to do without holding this process up: it may ask a person first. */
export interface KeychainDoor {
  getPassword(name: string): Promise<string | null>;
  setPassword(name: string, value: string): Promise<void>;
  deletePassword(name: string): Promise<void>;
}

/** Under which service the entries stand. */
const SERVICE = 'specwright';
/** How long an answer, also "none" and "no keychain", counts. */
const KEPT_MS = 30_000;

function loadKeyring(): typeof import('@napi-rs/keyring') {
  // A native module, loaded where somebody asks for it; it is optional, so it may be absent.
  return createRequire(import.meta.url)('@napi-rs/keyring');
}

/** Linux falls back to a keyring of the kernel, which forgets at the next start: not for keeping. */
const LASTING = { linux: { store: 'secret-service' } } as const;

/** The entry of a name in the operating system's keychain (service `specwright`, account = name). */
function openSystemEntry(name: string): KeychainEntry {
  const { Entry } = loadKeyring();
  return new Entry(SERVICE, name);
}

/** The same, in the keychain that keeps what `systemKeychainDoor` stores. */
export function openKeptEntry(name: string): KeychainEntry {
  const { Entry } = loadKeyring();
  return new Entry(SERVICE, name, LASTING);
}

function asyncEntry(name: string) {
  const { AsyncEntry } = loadKeyring();
  return new AsyncEntry(SERVICE, name, LASTING);
}

/** The operating system's keychain; every question rejects where there is none. */
export const systemKeychainDoor: KeychainDoor = {
  getPassword: async (name) => (await asyncEntry(name).getPassword()) ?? null,
  setPassword: async (name, value) => asyncEntry(name).setPassword(value),
  deletePassword: async (name) => {
    await asyncEntry(name).deletePassword();
  },
};

/**
 * Reads secrets by name from the operating system's keychain. A locked or absent keychain has none;
 * answers are kept for half a minute, since a run asks often.
 */
export function createKeychain(
  now: () => number,
  open: OpenEntry = openSystemEntry,
): (name: string) => string | undefined {
  const kept = new Map<string, { readonly value: string | undefined; readonly until: number }>();
  const ask = (name: string): string | undefined => {
    try {
      return open(name).getPassword() ?? undefined;
    } catch {
      // No keychain here, or it is locked: the environment is asked next.
      return undefined;
    }
  };
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined && known.until > now()) return known.value;
    const value = ask(name);
    kept.set(name, { value, until: now() + KEPT_MS });
    return value;
  };
}
