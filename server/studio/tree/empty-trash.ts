import { toTimestamp } from '../../kernel/timestamp.ts';
import type { TrashEntryRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { StudioDeps } from '../deps.ts';
import { findDraft } from '../drafts/drafts-repository.ts';
import { dropUnusedTexts } from '../files/kept-texts-repository.ts';
import type { Handle } from '../handle.ts';
import { listKept, removeVersions } from '../history/versions-repository.ts';
import { isInTrash, listTrashBefore, removeTrashRow } from './trash-repository.ts';

/** So long a deleted draft can be put back. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;

/** Removes a deleted draft, and its history unless a draft or another entry has its path. */
export async function removeForGood(trx: Handle, row: TrashEntryRow): Promise<void> {
  const { id, project_id, ref, revision } = row;
  await removeTrashRow(trx, id);
  const draft = await findDraft(trx, project_id, ref);
  const isInUse = draft !== undefined || (await isInTrash(trx, project_id, ref));
  const versions = isInUse ? [] : await listKept(trx, project_id, ref);
  await removeVersions(
    trx,
    versions.map((version) => version.id),
  );
  const revisions = versions.map((version) => version.revision);
  await dropUnusedTexts(trx, project_id, [revision, ...revisions]);
}

/** Removes for good what was deleted more than 30 days ago. */
export async function emptyTrash(deps: Pick<StudioDeps, 'db' | 'clock'>): Promise<void> {
  const before = toTimestamp(deps.clock.now() - KEPT_MS);
  for (const row of await listTrashBefore(deps.db, before)) {
    await inTransaction(deps.db, (trx) => removeForGood(trx, row));
  }
}

/** Empties the trash every hour; `stop` waits for the pass under way. */
export function startEmptyingTrash(deps: StudioDeps): { stop(): Promise<void> } {
  let pass: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pass = pass
      .then(() => emptyTrash(deps))
      .catch((error: unknown) => deps.log.error({ err: error }, 'the trash was not emptied'));
  }, EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return pass;
    },
  };
}
