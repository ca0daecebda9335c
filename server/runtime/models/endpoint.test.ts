import { expect, test } from 'vitest';
import { openSecrets } from '../secrets.ts';
import { findEndpoint } from './endpoint.ts';

const ENV = {
  OPENAI_API_KEY: 'own',
  ANTHROPIC_API_KEY: 'own',
  MY_REF: 'named',
  SERV_API_KEY: 'no',
};

function find(provider: string, extra = {}, env: Record<string, string> = ENV, trusted = false) {
  return findEndpoint(provider, extra, openSecrets(env, trusted));
}

test('an address of the spec counts before the operator and the official one', () => {
  expect(find('openai')).toMatchObject({ baseUrl: 'https://api.openai.com/v1', key: 'own' });
  const moved = { ...ENV, OPENAI_BASE_URL: 'https://gate.example/v1/' };
  expect(find('openai', {}, moved)).toMatchObject({
    baseUrl: 'https://gate.example/v1',
    key: 'own',
  });
  const base_url = 'http://localhost:1234/v1';
  expect(find('openai', { base_url }, moved)).toMatchObject({ baseUrl: base_url });
});

test("a provider's key goes to the provider and the operator's address, whoever names them", () => {
  const elsewhere = [
    'https://evil.example/v1',
    'http://localhost:1234/v1',
    'http://127.0.0.1:1234/v1',
    'http://api.openai.com/v1',
    'https://api.openai.com.evil.example/v1',
    'https://api.openai.com:8443/v1',
  ];
  for (const base_url of elsewhere) {
    for (const trusted of [false, true]) {
      expect(find('openai', { base_url }, ENV, trusted)).toMatchObject({ key: undefined });
    }
    expect(find('openai', { base_url, api_key_ref: 'OPENAI_API_KEY' })).toMatchObject({
      key: undefined,
      secret: { kind: 'refused', because: 'provider' },
    });
  }
  expect(find('anthropic', { base_url: 'https://api.anthropic.com' })).toMatchObject({
    key: 'own',
  });
  const proxied = { base_url: 'https://api.openai.com/v1', api_key_ref: 'OPENAI_API_KEY' };
  expect(find('openai-compatible', proxied)).toMatchObject({ key: 'own' });
  const moved = { ...ENV, OPENAI_BASE_URL: 'https://gate.example/v1/' };
  expect(find('openai', { base_url: 'https://gate.example/v1' }, moved)).toMatchObject({
    key: 'own',
  });
  expect(find('openai', { base_url: 'https://gate.example/other' }, moved)).toMatchObject({
    key: undefined,
  });
});

test('what api_key_ref names must be stored, listed, or of a trusted tree (decisions 46)', () => {
  const base_url = 'https://some.example/v1';
  for (const member of ['api_key_ref', 'api_key_env']) {
    const extra = { base_url, [member]: 'MY_REF' };
    expect(find('openai', extra)).toMatchObject({
      key: undefined,
      secret: { kind: 'refused', because: 'environment' },
    });
    expect(find('openai', extra, ENV, true)).toMatchObject({ key: 'named' });
    const listed = { ...ENV, SERV_SPEC_SECRETS: ' OTHER , MY_REF ' };
    expect(find('openai', extra, listed)).toMatchObject({ key: 'named' });
  }
  expect(find('openai', { base_url, api_key_ref: 'SERV_API_KEY' }, ENV, true)).toMatchObject({
    key: undefined,
    secret: { kind: 'refused', because: 'service' },
  });
  expect(find('openai', { base_url, api_key: 'typed' })).toMatchObject({ key: undefined });
});

test('a provider that is called like the services has no key', () => {
  const env = { SERV_API_KEY: 'no', SERV_BASE_URL: 'https://evil.example' };
  expect(find('serv', {}, env)).toEqual({ kind: 'no_address' });
  expect(find('serv', { base_url: 'https://evil.example' }, env)).toMatchObject({ key: undefined });
});

test('an address without a path gets that of its provider', () => {
  const base_url = 'http://127.0.0.1:5000';
  expect(find('anthropic', { base_url })).toMatchObject({ baseUrl: `${base_url}/v1` });
  expect(find('google', { base_url })).toMatchObject({ baseUrl: `${base_url}/v1beta` });
  expect(find('ollama', { base_url })).toMatchObject({ baseUrl: `${base_url}/v1` });
  expect(find('openai', { base_url })).toMatchObject({ baseUrl: base_url });
  expect(find('ollama', {}, { OLLAMA_HOST: '10.0.0.2:11434' })).toMatchObject({
    baseUrl: 'http://10.0.0.2:11434/v1',
  });
  expect(find('ollama', {}, {})).toMatchObject({
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyless: true,
  });
});

test('what is no plain http address is a problem of its own; so is none at all', () => {
  for (const base_url of ['ftp://x', 'x', 'http://u:p@h/', 'http://h/?key=1', 'http://h/#a']) {
    expect(find('openai', { base_url })).toEqual({
      kind: 'bad_address',
      source: 'model.extra.base_url',
    });
  }
  expect(find('mistral', {}, { MISTRAL_API_KEY: 'k' })).toEqual({ kind: 'no_address' });
});

test('the keychain is asked before the environment; empty values are none', () => {
  const chain = {
    read: (name: string) =>
      ({ kind: 'found', value: name === 'A_API_KEY' ? 'chain' : '' }) as const,
    ready: async () => undefined,
  };
  const env = { A_API_KEY: 'env', B_API_KEY: '', D_API_KEY: 'env', SERV_KEYCHAIN: 'on' };
  const secrets = openSecrets(env, false, chain);
  expect(['a', 'b', 'c', 'd'].map((name) => secrets.providerKey(name))).toMatchObject([
    { value: 'chain' },
    { kind: 'missing' },
    { kind: 'missing' },
    { value: 'env' },
  ]);
  expect(secrets.named('A_API_KEY')).toMatchObject({ value: 'chain' });
  const off = openSecrets({ A_API_KEY: 'env' }, false, chain);
  expect(off.providerKey('a')).toMatchObject({ value: 'env' });
});
