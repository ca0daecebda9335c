import type { RuntimeBinding } from '../../engine/effect.ts';
import type { Agent } from '../../spec/spec-types.ts';

/** The environment variable that holds a provider's key (spec-v1 17). */
export function providerKeyVariable(provider: string): string {
  const known: Readonly<Record<string, string>> = {
    openai: 'OPENAI_API_KEY',
    'openai-agents': 'OPENAI_API_KEY',
    anthropic: 'ANTHROPIC_API_KEY',
    google: 'GOOGLE_API_KEY',
    'google-adk': 'GOOGLE_API_KEY',
  };
  return Object.hasOwn(known, provider)
    ? (known[provider] ?? '')
    : `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

function offline(model: string | null, warning: string | null): RuntimeBinding {
  return { provider: 'offline', model, runtime_mode: 'bridge', sdk: 'dummy', warning };
}

/**
 * Which client answers an agent (decisions 9): no model, `dummy` or `default` → the offline runtime;
 * a provider with a key or a base_url → that provider; otherwise the offline runtime with a warning.
 */
export function selectBinding(
  agent: Agent,
  env: Readonly<Record<string, string | undefined>>,
): RuntimeBinding {
  const model = agent.model;
  if (model === null || model.provider === 'dummy' || model.provider === 'default') {
    return offline(model?.name ?? null, null);
  }
  const { provider, name, extra } = model;
  const variable = providerKeyVariable(provider);
  const baseUrl = extra['base_url'];
  const keyRef = extra['api_key_ref'];
  const hasKey =
    (env[variable] ?? '') !== '' || (typeof keyRef === 'string' && (env[keyRef] ?? '') !== '');
  const hasAddress = typeof baseUrl === 'string' && baseUrl !== '';
  if (!hasKey && !hasAddress && provider !== 'ollama') {
    return offline(
      name,
      `No key or base_url for model provider '${provider}': the offline runtime answers. Set ${variable}.`,
    );
  }
  return { provider, model: name, runtime_mode: 'native', sdk: provider, warning: null };
}
