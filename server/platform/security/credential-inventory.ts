import type { CredentialEntry, Credentials } from '../../contract/platform/security.ts';
import type { Environment } from '../../contract/settings.ts';
import { providerKeyVariable } from '../../runtime/models/provider-names.ts';
import type { SecretAnswer, Secrets } from '../../runtime/secrets.ts';

const DEFAULT_PROVIDERS = ['openai', 'openai-agents', 'anthropic', 'google', 'google-adk'];
const SERVICE_TOKENS = ['SERV_API_KEY', 'SERV_API_KEYS', 'SERV_ADMIN_API_KEY'];

function isPresent(env: Environment, name: string): boolean {
  const own = env[name];
  const value = own === undefined || own === '' ? env[`KNEO_${name}`] : own;
  return value !== undefined && value !== '';
}

function entry(name: string, envVar: string, present: boolean): CredentialEntry {
  return {
    name,
    env_var: envVar,
    present,
    value: present ? '[REDACTED]' : null,
    status: present ? 'present' : 'missing',
    expires_at: null,
    last_checked: null,
  };
}

/** A secret that is there may still not be given to specs (decisions 46). */
function answered(name: string, envVar: string, answer: SecretAnswer): CredentialEntry {
  return { ...entry(name, envVar, answer.kind !== 'missing'), usable: answer.kind === 'found' };
}

/**
 * Which credentials the service finds by name; never a value (contract/platform.md 3.14). `usable`
 * says whether a run would get it (decisions 46).
 */
export function credentialInventory(
  env: Environment,
  secrets: Secrets,
  wanted: {
    readonly providers: readonly string[] | undefined;
    readonly extras: readonly string[] | undefined;
    readonly includeServiceTokens: boolean;
  },
): Credentials {
  const providers = wanted.providers ?? DEFAULT_PROVIDERS;
  const services = wanted.includeServiceTokens ? SERVICE_TOKENS : [];
  return {
    inventory: {
      providers: Object.fromEntries(
        providers.map((name) => [
          name,
          answered(`provider:${name}`, providerKeyVariable(name), secrets.providerKey(name)),
        ]),
      ),
      extra: Object.fromEntries(
        (wanted.extras ?? []).map((name) => [
          name,
          answered(`extra:${name}`, name, secrets.named(name)),
        ]),
      ),
      service_tokens: Object.fromEntries(
        services.map((name) => [name, entry(`service:${name}`, name, isPresent(env, name))]),
      ),
    },
  };
}
