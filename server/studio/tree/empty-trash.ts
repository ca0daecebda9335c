import { toTimestamp } from '../../kernel/timestamp.ts';
import type { StudioDeps } from '../deps.ts';
import { dropUnusedTexts } from '../files/kept-texts-repository.ts';
import { listTrashBefore, removeTrashRow } from './trash-repository.ts';

/** So long a deleted draft can be put back. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;

/** Removes for good what was deleted more than 30 days ago. */
export async function emptyTrash(deps: Pick<StudioDeps, 'db' | 'clock'>): Promise<void> {
  const before = toTimestamp(deps.clock.now() - KEPT_MS);
  for (const { id, project_id, revision } of await listTrashBefore(deps.db, before)) {
    await deps.db.transaction().execute(async (trx) => {
      await removeTrashRow(trx, id);
      await dropUnusedTexts(trx, project_id, [revision]);
    });
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
