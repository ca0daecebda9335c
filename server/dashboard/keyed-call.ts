import type { Ids } from '../kernel/ids.ts';
import { PlatformIdempotencyMismatchError } from '../platform-client/platform-error.ts';
import { refusalOfPlatform, refuse } from './refusals.ts';

const MAX_KEY_CHARS = 256;

/** A tag of the dashboard's own: `dash-` and 32 hex digits (contract/dashboard.md 8). */
export function mintTag(ids: Ids): string {
  return `dash-${ids.hex()}`;
}

/**
 * The caller's Idempotency-Key, trimmed, or a minted one.
 * @throws Refusal `invalid_idempotency_key` above 256 characters.
 */
export function idempotencyKeyOf(
  headers: Readonly<Record<string, string | undefined>>,
  ids: Ids,
): string {
  const key = headers['idempotency-key']?.trim() ?? '';
  if (key === '') return mintTag(ids);
  if (key.length > MAX_KEY_CHARS) throw refuse('invalid_idempotency_key');
  return key;
}

/** Runs a keyed call: a conflict to which the platform gives no code is one of the key. */
export async function keyedCall<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PlatformIdempotencyMismatchError && error.code === undefined) {
      const { requestId } = refusalOfPlatform(error);
      throw refuse('idempotency_key_conflict', {
        cause: error,
        ...(requestId === undefined ? {} : { requestId }),
      });
    }
    throw error;
  }
}
