import path from 'node:path';
import type { ModelKey } from '../contract/gateway/model-keys.ts';
import type { SecretView } from '../contract/gateway/secrets.ts';
import type { ModelKeys } from '../gateway/model-keys.ts';
import { USUAL_KEYS } from '../runtime/models/provider-names.ts';
import { isServiceName, isSpecName } from '../runtime/secrets.ts';
import { sharedKeyOf } from '../runtime/shared-key.ts';
import { STORED_SECRETS } from '../runtime/stored-secrets.ts';
import type { SecretStore } from './secrets/secret-store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The file that holds the secrets of a data folder. */
export function secretsFile(dataFolder: string): string {
  return path.join(dataFolder, 'secrets', 'secrets.json');
}

/** The variables of a platform on a data folder: it also finds the secrets that are stored there. */
export function withStoredSecrets(env: Env, dataFolder: string): Env {
  const file = secretsFile(dataFolder);
  // Threads that start from here on see the key that a passphrase opens.
  sharedKeyOf(file);
  return { ...env, [STORED_SECRETS]: file };
}

function keyView(name: string, stored: SecretView | undefined, env: Env): ModelKey {
  const value = env[name];
  return {
    name,
    provider: USUAL_KEYS.find((usual) => usual.name === name)?.provider ?? null,
    kept_in: stored?.kept_in ?? null,
    stored_at: stored?.stored_at ?? null,
    in_environment: value !== undefined && value !== '',
  };
}

/** The keys of model providers, as the window's settings show them. */
export function createModelKeys(store: SecretStore, env: Env, here: boolean): ModelKeys {
  return {
    here,
    async list() {
      const { places, secrets } = await store.overview();
      const stored = secrets.filter(({ name }) => isSpecName(name));
      const names = new Set([...USUAL_KEYS, ...stored].map(({ name }) => name));
      const keys = [...names].map((name) =>
        keyView(
          name,
          stored.find((secret) => secret.name === name),
          env,
        ),
      );
      return { here, keeper: places.next, keys };
    },
    mayHold: (name) => !isServiceName(name),
    put: async (name, key) => keyView(name, await store.put(name, key), env),
    remove: (name) => store.remove(name),
  };
}
