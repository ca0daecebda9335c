import type { CredentialEntry, Credentials } from '../../contract/platform/security.ts';
import type { Environment } from '../env-reader.ts';

const DEFAULT_PROVIDERS = ['openai', 'openai-agents', 'anthropic', 'google', 'google-adk'];
const PROVIDER_ENV: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-agents': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  'google-adk': 'GOOGLE_API_KEY',
};
const SERVICE_TOKENS = ['SERV_API_KEY', 'SERV_API_KEYS', 'SERV_ADMIN_API_KEY'];

/** The environment variable that holds a provider's key (spec-v1 17). */
export function providerEnvVar(provider: string): string {
  return Object.hasOwn(PROVIDER_ENV, provider)
    ? (PROVIDER_ENV[provider] ?? '')
    : `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

function isPresent(env: Environment, name: string): boolean {
  const own = env[name];
  const value = own === undefined || own === '' ? env[`KNEO_${name}`] : own;
  return value !== undefined && value !== '';
}

function entry(env: Environment, name: string, envVar: string, service = false): CredentialEntry {
  const direct = env[envVar];
  const present = service ? isPresent(env, envVar) : direct !== undefined && direct !== '';
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
        providers.map((name) => [name, entry(env, `provider:${name}`, providerEnvVar(name))]),
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
