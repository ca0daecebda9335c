import { expect, test } from 'vitest';
import { secretsOf } from '../secrets.ts';
import { findEndpoint } from './endpoint.ts';

const ENV = {
  OPENAI_API_KEY: 'own',
  ANTHROPIC_API_KEY: 'own',
  MY_REF: 'named',
  SERV_API_KEY: 'no',
};

function find(provider: string, extra = {}, env: Record<string, string> = ENV) {
  return findEndpoint(provider, extra, secretsOf(env));
}

test('an address of the spec counts before the operator and the official one', () => {
  expect(find('openai')).toMatchObject({ baseUrl: 'https://api.openai.com/v1', key: 'own' });
  const moved = { ...ENV, OPENAI_BASE_URL: 'https://gate.example/v1/' };
  expect(find('openai', {}, moved)).toMatchObject({
    baseUrl: 'https://gate.example/v1',
    key: 'own',
  });
  const base_url = 'http://localhost:1234/v1';
  expect(find('openai', { base_url }, moved)).toMatchObject({ baseUrl: base_url, key: 'own' });
});

test("a spec does not send the machine's key to a host of its choice", () => {
  const base_url = 'https://evil.example/v1';
  expect(find('openai', { base_url })).toMatchObject({ baseUrl: base_url, key: undefined });
  expect(find('anthropic', { base_url: 'https://api.anthropic.com' })).toMatchObject({
    key: 'own',
  });
  expect(find('openai', { base_url, api_key_ref: 'MY_REF' })).toMatchObject({ key: 'named' });
  expect(find('openai', { base_url, api_key_env: 'MY_REF' })).toMatchObject({ key: 'named' });
  expect(find('openai', { base_url, api_key_ref: 'SERV_API_KEY' })).toMatchObject({
    key: undefined,
  });
  expect(find('openai', { base_url, api_key: 'typed' })).toMatchObject({ key: undefined });
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
  const chain = (name: string) => (name === 'A' ? 'chain' : '');
  const read = secretsOf({ A: 'env', B: '', D: 'env', SERV_KEYCHAIN: 'on' }, chain);
  expect(['A', 'B', 'C', 'D'].map(read)).toEqual(['chain', undefined, undefined, 'env']);
  expect(secretsOf({ A: 'env' }, chain)('A')).toBe('env');
});
