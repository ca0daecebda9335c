import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireLiveArtifact } from './artifact-view.ts';
import { markDeleted } from './artifacts-repository.ts';
import { collectSnapshots } from './snapshots.ts';

/** Deletes an artifact softly; its snapshot goes when nothing else refers to it (studio.md 7.1). */
export async function deleteArtifact(
  deps: StudioDeps,
  member: Member,
  artifactId: string,
): Promise<void> {
  const { project } = member;
  await deps.locks.run(project.id, async () => {
    await inTransaction(deps.db, async (trx) => {
      const row = await requireLiveArtifact(trx, project.id, artifactId);
      await markDeleted(trx, row.id, deps.timestamp());
      await recordAct(deps, trx, member, 'delete_artifact', { artifact_id: row.id });
    });
    await collectSnapshots(deps, project.id);
  });
}
