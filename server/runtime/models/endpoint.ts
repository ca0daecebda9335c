import type { JsonObject } from '../../kernel/json.ts';
import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import { keyReference } from '../../spec/reports/secret-references.ts';
import type { SecretAnswer, Secrets } from '../secrets.ts';
import {
  type ModelFamily,
  modelFamily,
  officialAddress,
  providerAddressVariables,
  providerKeyVariable,
  providersOfKey,
} from './provider-names.ts';

/** Where one model call goes, and with which key. */
export interface ModelEndpoint {
  readonly provider: string;
  readonly family: ModelFamily;
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** Where the key came from, or why there is none. */
  readonly secret: SecretAnswer;
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

function isLoopback(address: URL): boolean {
  const { hostname } = address;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

interface Address {
  readonly text: string;
  readonly from: 'spec' | 'operator' | 'official';
  readonly source: string;
}

function operatorAddress(provider: string, secrets: Secrets): string | undefined {
  const named = secrets.providerAddress(provider);
  if (named === undefined || provider !== 'ollama' || /^https?:/.test(named)) return named;
  return `http://${named}`;
}

function addressOf(provider: string, extra: JsonObject, secrets: Secrets): Address | undefined {
  const inSpec = textOf(extra, 'base_url');
  if (inSpec !== undefined) return { text: inSpec, from: 'spec', source: 'model.extra.base_url' };
  const moved = operatorAddress(provider, secrets);
  if (moved !== undefined) {
    return { text: moved, from: 'operator', source: providerAddressVariables(provider)[0] };
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

/**
 * Whether a provider's key may go to an address, whoever named it: the provider's own, or the one that
 * the operator set for it, to the letter.
 */
function isPlaceOf(provider: string, url: URL, secrets: Secrets): boolean {
  const official = officialAddress(provider);
  if (official !== undefined && new URL(official).origin === url.origin) return true;
  const moved = operatorAddress(provider, secrets);
  const place = moved === undefined ? undefined : parseAddress(provider, moved);
  return (
    place !== undefined && withoutTrailingSlashes(place.href) === withoutTrailingSlashes(url.href)
  );
}

function secretFor(provider: string, extra: JsonObject, url: URL, secrets: Secrets): SecretAnswer {
  const reference = keyReference(extra)?.name;
  const keyName = reference ?? providerKeyVariable(provider);
  const owner = providersOfKey(keyName, provider).find((name) => isPlaceOf(name, url, secrets));
  if (owner !== undefined) return secrets.providerKey(owner);
  return reference === undefined ? { kind: 'missing' } : secrets.named(reference);
}

/**
 * Decides where a provider's calls go: `extra.base_url`, else the operator's `<NAME>_BASE_URL`, else
 * the provider's own address. The key is the secret that `api_key_ref` names, else the provider's own;
 * a provider's key goes to the provider's own address or the operator's only (decisions 46).
 */
export function findEndpoint(
  provider: string,
  extra: JsonObject,
  secrets: Secrets,
): ModelEndpoint | EndpointProblem {
  const address = addressOf(provider, extra, secrets);
  if (address === undefined) return { kind: 'no_address' };
  const url = parseAddress(provider, address.text);
  if (url === undefined) return { kind: 'bad_address', source: address.source };
  const secret = secretFor(provider, extra, url, secrets);
  return {
    provider,
    family: modelFamily(provider),
    baseUrl: withoutTrailingSlashes(url.href),
    key: secret.kind === 'found' ? secret.value : undefined,
    secret,
    keyName: keyReference(extra)?.name ?? providerKeyVariable(provider),
    keyless: address.from !== 'official' || isLoopback(url),
  };
}

/** True for a place that can be called; false for the reason why there is none. */
export function isEndpoint(found: ModelEndpoint | EndpointProblem): found is ModelEndpoint {
  return 'baseUrl' in found;
}
