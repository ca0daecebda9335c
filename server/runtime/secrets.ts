import { createKeychain } from './keychain.ts';
import { providerKeyVariable } from './models/provider-names.ts';

/** The value of a secret by its name; undefined when nobody has one. */
export type ReadSecret = (name: string) => string | undefined;

/** Variables that belong to the services themselves: no spec may have them sent anywhere. */
const OWN = /^(SERV|KNEO|STUDIO|DASH|PLATFORM|SPECWRIGHT)_/;

const TRUTHY = new Set(['1', 'true', 'yes', 'on']);

const systemKeychain = createKeychain(Date.now);

/**
 * Looks a secret up in the operating system's keychain when SERV_KEYCHAIN is on, then in the
 * environment (spec-v1 17, decisions 9). Empty values count as missing (contract/platform.md 3.14).
 */
export function secretsOf(
  env: Readonly<Record<string, string | undefined>>,
  keychain: ReadSecret = systemKeychain,
): ReadSecret {
  const asked = TRUTHY.has((env['SERV_KEYCHAIN'] ?? '').trim().toLowerCase());
  return (name) => {
    const stored = asked ? keychain(name) : undefined;
    const value = stored === undefined || stored === '' ? env[name] : stored;
    return value === undefined || value === '' ? undefined : value;
  };
}

/** The value that a spec names, such as `api_key_ref`; the services' own keys are out of its reach. */
export function readNamedSecret(read: ReadSecret, name: string): string | undefined {
  return OWN.test(name) ? undefined : read(name);
}

/** The key of a provider under its usual name. */
export function readProviderKey(read: ReadSecret, provider: string): string | undefined {
  return read(providerKeyVariable(provider));
}
