import type { JsonObject } from '../../kernel/json.ts';
import { type ReadSecret, readNamedSecret, readProviderKey } from '../secrets.ts';
import {
  type ModelFamily,
  modelFamily,
  officialAddress,
  providerAddressVariable,
  providerKeyVariable,
} from './provider-names.ts';

/** Where one model call goes, and with which key. */
export interface ModelEndpoint {
  readonly provider: string;
  readonly family: ModelFamily;
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The name that the key goes by; for messages. */
  readonly keyName: string;
  /** True when it may answer without a key: somebody named the address, or it is local by nature. */
  readonly keyless: boolean;
}

/** Why there is no address to call. */
export type EndpointProblem =
  | { readonly kind: 'no_address' }
  | { readonly kind: 'bad_address'; readonly source: string };

/** The path that an address without one gets: what the official clients add. */
const DEFAULT_PATHS: Readonly<Record<string, string>> = {
  anthropic: '/v1',
  google: '/v1beta',
  'google-adk': '/v1beta',
  ollama: '/v1',
};

function textOf(extra: JsonObject, name: string): string | undefined {
  const value = extra[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The name under `api_key_ref` (or `api_key_env`) of the spec: a variable, never a value. */
export function keyReference(extra: JsonObject): string | undefined {
  return textOf(extra, 'api_key_ref') ?? textOf(extra, 'api_key_env');
}

function isLoopback(address: URL): boolean {
  const { hostname } = address;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

interface Address {
  readonly text: string;
  /** `official` and `operator` addresses are trusted with the provider's own key. */
  readonly from: 'spec' | 'operator' | 'official';
  readonly source: string;
}

function operatorAddress(provider: string, env: ReadSecret): string | undefined {
  const named = env(providerAddressVariable(provider));
  if (named !== undefined || provider !== 'ollama') return named;
  const host = env('OLLAMA_HOST');
  return host === undefined || /^https?:/.test(host) ? host : `http://${host}`;
}

function addressOf(provider: string, extra: JsonObject, env: ReadSecret): Address | undefined {
  const inSpec = textOf(extra, 'base_url');
  if (inSpec !== undefined) return { text: inSpec, from: 'spec', source: 'model.extra.base_url' };
  const moved = operatorAddress(provider, env);
  if (moved !== undefined) {
    return { text: moved, from: 'operator', source: providerAddressVariable(provider) };
  }
  const official = officialAddress(provider);
  return official === undefined ? undefined : { text: official, from: 'official', source: '' };
}

function parseAddress(provider: string, text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return undefined;
  }
  const path = Object.hasOwn(DEFAULT_PATHS, provider) ? DEFAULT_PATHS[provider] : undefined;
  if (url.pathname === '/' && path !== undefined) url.pathname = path;
  return url;
}

/** Whether the provider's own key may go to this address: one that a spec names must be local. */
function keeps(address: Address, url: URL, provider: string): boolean {
  if (address.from !== 'spec' || isLoopback(url)) return true;
  const official = officialAddress(provider);
  return official !== undefined && new URL(official).origin === url.origin;
}

/**
 * Decides where a provider's calls go: `extra.base_url`, else the operator's `<NAME>_BASE_URL`, else
 * the provider's own address. The key is the secret that `api_key_ref` names, else the provider's own,
 * which an address of the spec gets only when it is local or the provider's (a spec must not send a
 * key of the machine to a host of its choice).
 */
export function findEndpoint(
  provider: string,
  extra: JsonObject,
  read: ReadSecret,
): ModelEndpoint | EndpointProblem {
  const address = addressOf(provider, extra, read);
  if (address === undefined) return { kind: 'no_address' };
  const url = parseAddress(provider, address.text);
  if (url === undefined) return { kind: 'bad_address', source: address.source };
  const reference = keyReference(extra);
  const own = keeps(address, url, provider) ? readProviderKey(read, provider) : undefined;
  return {
    provider,
    family: modelFamily(provider),
    baseUrl: url.href.replace(/(?<!\/)\/+$/, ''),
    key: reference === undefined ? own : readNamedSecret(read, reference),
    keyName: reference ?? providerKeyVariable(provider),
    keyless: address.from !== 'official' || isLoopback(url),
  };
}

/** True for a place that can be called; false for the reason why there is none. */
export function isEndpoint(found: ModelEndpoint | EndpointProblem): found is ModelEndpoint {
  return 'baseUrl' in found;
}
