import { refuse } from '../../contract/studio/errors.ts';
import { characters } from '../../contract/studio/fields.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { StudioDeps } from '../deps.ts';
import { findImportDigest, removeImportKeys } from './import-keys-repository.ts';

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
  const known = await findImportDigest(deps.db, projectId, key);
  if (known !== undefined && known !== requestDigest) throw refuse('idempotency_key_reused');
}

/** Drops keys older than 24 hours. */
export async function forgetOldKeys({ db, clock }: StudioDeps): Promise<void> {
  await removeImportKeys(db, toTimestamp(clock.now() - KEPT_MS));
}
