/** The wire format that a provider speaks. */
export type ModelFamily = 'openai' | 'openai-compatible' | 'anthropic' | 'google';

const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-agents': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  'google-adk': 'GOOGLE_API_KEY',
};

const FAMILIES: Readonly<Record<string, ModelFamily>> = {
  openai: 'openai',
  'openai-agents': 'openai',
  anthropic: 'anthropic',
  google: 'google',
  'google-adk': 'google',
};

/** Where a provider answers when nobody names an address. */
const ADDRESSES: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  'openai-agents': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'google-adk': 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/v1',
};

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The environment variable that holds a provider's key (spec-v1 17). */
export function providerKeyVariable(provider: string): string {
  const named = `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
  return own(KEY_VARIABLES, provider) ?? named;
}

/** The environment variables with which an operator moves a provider, the first one set counts. */
export function providerAddressVariables(provider: string): readonly [string, ...string[]] {
  const usual = providerKeyVariable(provider).replace(/_API_KEY$/, '_BASE_URL');
  return provider === 'ollama' ? [usual, 'OLLAMA_HOST'] : [usual];
}

/** The usual key of each provider that has an address of its own, each key once. */
export const USUAL_KEYS: readonly { readonly provider: string; readonly name: string }[] = [
  'openai',
  'anthropic',
  'google',
].map((provider) => ({ provider, name: providerKeyVariable(provider) }));

const KEYS_IN_USE: ReadonlySet<string> = new Set(Object.values(KEY_VARIABLES));

/** True for the key of a provider that has an address of its own. */
export function isUsualKey(variable: string): boolean {
  return KEYS_IN_USE.has(variable);
}

/** The providers that a key is for, with `asked` when it is for that one. */
export function providersOfKey(variable: string, asked: string): readonly string[] {
  return [...new Set([asked, ...Object.keys(KEY_VARIABLES)])].filter(
    (provider) => providerKeyVariable(provider) === variable,
  );
}

/** The wire format of a provider; every unknown one speaks OpenAI's chat completions. */
export function modelFamily(provider: string): ModelFamily {
  return own(FAMILIES, provider) ?? 'openai-compatible';
}

/** The provider's own address; undefined for one that only `base_url` can name. */
export function officialAddress(provider: string): string | undefined {
  return own(ADDRESSES, provider);
}
