import type { PlatformScope } from '../contract/platform/scopes.ts';
import type { PendingRecord } from './pending-record.ts';

/** Who calls: a key's name and scopes, or the anonymous local operator while authentication is off. */
export interface Principal {
  readonly name: string;
  readonly scopes: ReadonlySet<PlatformScope>;
  /** The stripped Idempotency-Key header; null when absent or blank. */
  readonly idempotencyKey: string | null;
  /** What the answer leaves for an equal request; null where there is no key, or the route has none. */
  readonly pendingRecord: PendingRecord | null;
  /** The request waited for others: it does not count towards the caller's rate. */
  readonly uncount: () => void;
}

/** True when the scopes carry the wanted one or `*`. */
export function hasScope(scopes: ReadonlySet<PlatformScope>, wanted: PlatformScope): boolean {
  return scopes.has('*') || scopes.has(wanted);
}
