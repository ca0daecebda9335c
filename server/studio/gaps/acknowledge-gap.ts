import { refuse } from '../../contract/studio/errors.ts';
import type { GapRef } from '../../contract/studio/fields.ts';
import type { AcknowledgeGapResponse } from '../../contract/studio/gaps.ts';
import { inTransaction } from '../../store/transaction.ts';
import { findAnalysis } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { readArtifact, requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { listInheritedAnalyses } from '../artifacts/artifacts-repository.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { insertAcknowledgement, listAcknowledgements } from './gaps-repository.ts';

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
  return inTransaction(deps.db, async (trx) => {
    const artifact = await requireLiveArtifact(trx, project.id, artifactId);
    await requireManual(trx, project.id, artifact.id, gap);
    const row = {
      artifact_id: artifact.id,
      ...gap,
      principal_id: principal.id,
      at: deps.timestamp(),
    };
    if (await insertAcknowledgement(trx, row)) {
      await recordAct(deps, trx, member, 'acknowledge_gap', { artifact_id: artifact.id, ...gap });
    }
    const all = await listAcknowledgements(trx, artifact.id);
    const acknowledgement = all.find(
      (ack) => ack.gap.analysis_id === gap.analysis_id && ack.gap.gap_id === gap.gap_id,
    );
    if (acknowledgement === undefined) throw new TypeError('the acknowledgement was not stored');
    return { artifact: await readArtifact(trx, artifact), acknowledgement };
  });
}
