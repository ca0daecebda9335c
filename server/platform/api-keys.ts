import {
  PLATFORM_ROLES,
  PLATFORM_SCOPES,
  type PlatformRole,
  type PlatformScope,
} from '../contract/platform/scopes.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';

/** One accepted key with what it may do. */
export interface ApiKey {
  readonly name: string;
  readonly key: string;
  readonly scopes: ReadonlySet<PlatformScope>;
}

function isRole(token: string): token is PlatformRole {
  return Object.hasOwn(PLATFORM_ROLES, token);
}

function isScope(token: string): token is PlatformScope {
  return PLATFORM_SCOPES.some((scope) => scope === token);
}

/** Scopes of a list of role and scope words; undefined names the first unknown word. */
function scopesOf(tokens: readonly string[]): Set<PlatformScope> | { unknown: string } {
  const scopes = new Set<PlatformScope>();
  for (const token of tokens) {
    if (isRole(token)) for (const scope of PLATFORM_ROLES[token]) scopes.add(scope);
    else if (isScope(token)) scopes.add(token);
    else return { unknown: token };
  }
  return scopes;
}

/** A key for one role, made by the host (decisions 32). */
export function apiKeyOfRole(name: string, key: string, role: PlatformRole): ApiKey {
  return { name, key, scopes: new Set<PlatformScope>(PLATFORM_ROLES[role]) };
}

/** The keys that may do everything. */
export function operatorKeysOf(keys: readonly ApiKey[]): string[] {
  return keys.filter(({ scopes }) => scopes.has('*')).map(({ key }) => key);
}

/**
 * Parses `name:key:token[,token…]` entries separated by `;` (contract/platform.md 7).
 * @throws StartRefusal naming the entry and the word, never the key.
 */
export function parseApiKeys(text: string): ApiKey[] {
  const keys: ApiKey[] = [];
  for (const entry of text.split(';')) {
    if (entry.trim() === '') continue;
    const [rawName = '', rawKey, ...rest] = entry.split(':');
    const name = rawName.trim();
    const key = rawKey?.trim();
    const tokens = rest
      .join(':')
      .split(',')
      .map((token) => token.trim())
      .filter((token) => token !== '');
    if (name === '' || key === undefined || key === '' || tokens.length === 0) {
      throw new StartRefusal(
        `SERV_API_KEYS: entry '${name}' must have the form name:key:role-or-scope[,…].`,
      );
    }
    const scopes = scopesOf(tokens);
    if (!(scopes instanceof Set)) {
      throw new StartRefusal(
        `SERV_API_KEYS: entry '${name}' names '${scopes.unknown}', which is neither a role nor a scope.`,
      );
    }
    keys.push({ name, key, scopes });
  }
  return keys;
}
