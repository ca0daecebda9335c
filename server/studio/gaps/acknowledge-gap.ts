import { refuse } from '../../contract/studio/errors.ts';
import type { GapRef } from '../../contract/studio/fields.ts';
import type { AcknowledgeGapResponse, GapAck } from '../../contract/studio/gaps.ts';
import { findAnalysis } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { readArtifact, requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { listInheritedAnalyses } from '../artifacts/artifacts-repository.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';

/** Acknowledgements of an artifact, oldest first: the first who and when are kept. */
export async function listAcknowledgements(handle: Handle, artifactId: string): Promise<GapAck[]> {
  const rows = await handle
    .selectFrom('gap_acknowledgement')
    .innerJoin('principal', 'principal.id', 'gap_acknowledgement.principal_id')
    .select(['analysis_id', 'gap_id', 'at', 'principal.display_name'])
    .where('artifact_id', '=', artifactId)
    .orderBy('at')
    .orderBy('analysis_id')
    .orderBy('gap_id')
    .execute();
  return rows.map((row) => ({
    gap: { analysis_id: row.analysis_id, gap_id: row.gap_id },
    acknowledged_by_display_name: row.display_name,
    acknowledged_at: row.at,
  }));
}

async function requireManual(
  handle: Handle,
  projectId: string,
  artifactId: string,
  gap: GapRef,
): Promise<void> {
  const analysis = await findAnalysis(handle, projectId, gap.analysis_id);
  const manual = analysis !== undefined && parseIds(analysis.manual_gap_ids).includes(gap.gap_id);
  if (!manual) throw refuse('gap_unknown', { details: { ...gap } });
  const inherited = await listInheritedAnalyses(handle, artifactId);
  if (!inherited.includes(gap.analysis_id)) throw refuse('analysis_stale');
}

/** Acknowledges one manual gap for one artifact (studio.md 8.4); a repeat changes nothing. */
export async function acknowledgeGap(
  deps: StudioDeps,
  member: Member,
  artifactId: string,
  gap: GapRef,
): Promise<AcknowledgeGapResponse> {
  const { project, principal } = member;
  return deps.db.transaction().execute(async (trx) => {
    const artifact = await requireLiveArtifact(trx, project.id, artifactId);
    await requireManual(trx, project.id, artifact.id, gap);
    const row = {
      artifact_id: artifact.id,
      ...gap,
      principal_id: principal.id,
      at: deps.timestamp(),
    };
    const result = await trx
      .insertInto('gap_acknowledgement')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) {
      await recordAudit(deps, trx, {
        action: 'acknowledge_gap',
        principal_id: principal.id,
        project_id: project.id,
        outcome: 'allowed',
        detail: { artifact_id: artifact.id, ...gap },
      });
    }
    const all = await listAcknowledgements(trx, artifact.id);
    const acknowledgement = all.find(
      (ack) => ack.gap.analysis_id === gap.analysis_id && ack.gap.gap_id === gap.gap_id,
    );
    if (acknowledgement === undefined) throw new TypeError('the acknowledgement was not stored');
    return { artifact: await readArtifact(trx, artifact), acknowledgement };
  });
}
