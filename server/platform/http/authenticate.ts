import { createHash, timingSafeEqual } from 'node:crypto';
import type { PlatformScope } from '../../contract/platform/scopes.ts';
import type { ApiKey } from '../api-keys.ts';
import { refuse } from '../refuse.ts';

/** The key that a request presents, or undefined (contract/platform.md 1.2). */
function presentedKey(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const authorization = headers['authorization'];
  if (typeof authorization === 'string') {
    const [scheme = '', ...rest] = authorization.trim().split(/\s+/);
    const credential = rest.join(' ');
    if (scheme.toLowerCase() === 'bearer' && credential !== '') return credential;
  }
  const own = headers['x-kneo-api-key'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : undefined;
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export interface Caller {
  readonly name: string;
  readonly scopes: ReadonlySet<PlatformScope>;
}

const ANONYMOUS: Caller = { name: 'anonymous', scopes: new Set<PlatformScope>(['*']) };

/**
 * Finds the caller of a request by its key, compared in constant time; the first entry with that
 * key wins. With authentication off an unknown or missing key is the anonymous operator.
 * @throws Refusal unauthorized.
 */
export function createAuthenticator(
  keys: readonly ApiKey[],
  required: boolean,
): (headers: Readonly<Record<string, string | string[] | undefined>>) => Caller {
  const entries = keys.map((entry) => ({ entry, digest: digest(entry.key) }));
  return (headers) => {
    const presented = presentedKey(headers);
    let found: ApiKey | undefined;
    if (presented !== undefined) {
      const candidate = digest(presented);
      for (const item of entries) {
        const same = timingSafeEqual(item.digest, candidate);
        if (same && found === undefined) found = item.entry;
      }
    }
    if (found !== undefined) return { name: found.name, scopes: found.scopes };
    if (required) throw refuse('unauthorized');
    return ANONYMOUS;
  };
}
