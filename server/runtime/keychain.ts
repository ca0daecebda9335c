import { createRequire } from 'node:module';

/** One entry of the operating system's keychain. */
interface KeychainEntry {
  getPassword(): string | null;
}

/** Opens the entry of a name; throws where there is no keychain. */
type OpenEntry = (name: string) => KeychainEntry;

/** Under which service the entries stand. */
const SERVICE = 'specwright';
/** How long an answer, also "none" and "no keychain", counts. */
const KEPT_MS = 30_000;

function openSystemEntry(name: string): KeychainEntry {
  // A native module, loaded where somebody asks for it; it is optional, so it may be absent.
  const load = createRequire(import.meta.url);
  const { Entry }: typeof import('@napi-rs/keyring') = load('@napi-rs/keyring');
  return new Entry(SERVICE, name);
}

/**
 * Reads secrets by name from the operating system's keychain (service `specwright`, account = name).
 * A locked or absent keychain has none; answers are kept for half a minute, since a run asks often.
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
