import type { CredentialEntry, Credentials } from '../../contract/platform/security.ts';
import { providerKeyVariable } from '../../runtime/models/provider-names.ts';
import { secretsOf } from '../../runtime/secrets.ts';
import type { Environment } from '../env-reader.ts';

const DEFAULT_PROVIDERS = ['openai', 'openai-agents', 'anthropic', 'google', 'google-adk'];
const SERVICE_TOKENS = ['SERV_API_KEY', 'SERV_API_KEYS', 'SERV_ADMIN_API_KEY'];

function isPresent(env: Environment, name: string): boolean {
  const own = env[name];
  const value = own === undefined || own === '' ? env[`KNEO_${name}`] : own;
  return value !== undefined && value !== '';
}

function entry(env: Environment, name: string, envVar: string, service = false): CredentialEntry {
  const present = service ? isPresent(env, envVar) : secretsOf(env)(envVar) !== undefined;
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

/** Which credentials the service finds by name; never a value (contract/platform.md 3.14). */
export function credentialInventory(
  env: Environment,
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
        providers.map((name) => [name, entry(env, `provider:${name}`, providerKeyVariable(name))]),
      ),
      extra: Object.fromEntries(
        (wanted.extras ?? []).map((name) => [name, entry(env, `extra:${name}`, name)]),
      ),
      service_tokens: Object.fromEntries(
        services.map((name) => [name, entry(env, `service:${name}`, name, true)]),
      ),
    },
  };
}
