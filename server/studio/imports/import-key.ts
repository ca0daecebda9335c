import { refuse } from '../../contract/studio/errors.ts';
import { characters } from '../../contract/studio/fields.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';

const MAX_CHARACTERS = 128;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The trimmed Idempotency-Key of an import. @throws Refusal `idempotency_key_blank`, `…_too_long`. */
export function usableKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.trim();
  if (key === '') throw refuse('idempotency_key_blank');
  if (characters(key) > MAX_CHARACTERS) throw refuse('idempotency_key_too_long');
  return key;
}

/** Refuses a key that was used for other content in the last 24 hours. */
export async function requireImportKey(
  deps: StudioDeps,
  projectId: string,
  key: string | undefined,
  requestDigest: string,
): Promise<void> {
  if (key === undefined) return;
  await forgetOldKeys(deps);
  const known = await deps.db
    .selectFrom('import_key')
    .select('request_digest')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (known !== undefined && known.request_digest !== requestDigest) {
    throw refuse('idempotency_key_reused');
  }
}

/** Drops keys older than 24 hours. */
export async function forgetOldKeys(deps: StudioDeps): Promise<void> {
  const limit = toTimestamp(deps.clock.now() - KEPT_MS);
  await deps.db.deleteFrom('import_key').where('created_at', '<', limit).execute();
}

/** Remembers a key and what it was used for; a key that is known stays as it is. */
export async function storeImportKey(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
  use: { key: string; request_digest: string },
): Promise<void> {
  await handle
    .insertInto('import_key')
    .values({ project_id: projectId, ...use, created_at: deps.timestamp() })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
    .execute();
}
