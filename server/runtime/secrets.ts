import { isObject } from '../kernel/json.ts';
import { createKeychain } from './keychain.ts';
import { providerKeyVariable } from './models/provider-names.ts';
import { STORED_SECRETS, storedSecretsOf } from './stored-secrets.ts';

/** The value of a secret by its name; undefined when nobody has one. */
export type ReadSecret = (name: string) => string | undefined;

/**
 * Holds, as JSON, the names that a project gives to keys and secrets (`secrets.provider_env` and
 * `extra_env`, spec-v1 17): usual name → variable. The command line sets it for a platform of its own.
 */
export const SECRET_NAMES = 'SPECWRIGHT_SECRET_NAMES';

/** Variables that belong to the services themselves: no spec may have them sent anywhere. */
const OWN = /^(SERV|KNEO|STUDIO|DASH|PLATFORM|SPECWRIGHT)_/;

const TRUTHY = new Set(['1', 'true', 'yes', 'on']);

const systemKeychain = createKeychain(Date.now);

/**
 * Looks a secret up among those that a person stored, then in the operating system's keychain when
 * SERV_KEYCHAIN is on, then in the environment (spec-v1 17, decisions 9). Empty values count as
 * missing (contract/platform.md 3.14).
 */
export function secretsOf(
  env: Readonly<Record<string, string | undefined>>,
  keychain: ReadSecret = systemKeychain,
): ReadSecret {
  const file = env[STORED_SECRETS];
  const inKeychain = TRUTHY.has((env['SERV_KEYCHAIN'] ?? '').trim().toLowerCase());
  const places: readonly ReadSecret[] = [
    ...(file === undefined ? [] : [storedSecretsOf(file)]),
    ...(inKeychain ? [keychain] : []),
    (name) => env[name],
  ];
  const names = givenNames(env[SECRET_NAMES]);
  return (asked) => {
    const name = names.get(asked) ?? asked;
    if (name !== asked && isServiceName(name)) return undefined;
    for (const read of places) {
      const value = read(name);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
}

function givenNames(text: string | undefined): ReadonlyMap<string, string> {
  const parsed: unknown = text === undefined ? {} : JSON.parse(text);
  const pairs = isObject(parsed) ? Object.entries(parsed) : [];
  return new Map(pairs.flatMap(([name, to]) => (typeof to === 'string' ? [[name, to]] : [])));
}

/** True for a variable of the services themselves, which holds no secret of a spec. */
export function isServiceName(name: string): boolean {
  return OWN.test(name);
}

/** The value that a spec names, such as `api_key_ref`; the services' own keys are out of its reach. */
export function readNamedSecret(read: ReadSecret, name: string): string | undefined {
  return isServiceName(name) ? undefined : read(name);
}

/** The key of a provider under its usual name. */
export function readProviderKey(read: ReadSecret, provider: string): string | undefined {
  return read(providerKeyVariable(provider));
}
