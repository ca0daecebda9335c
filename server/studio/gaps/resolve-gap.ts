import { refuse } from '../../contract/studio/errors.ts';
import type { GapResolutionView, ResolutionEvent } from '../../contract/studio/gaps.ts';
import type { AnalysisRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { listApplicable } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { reclaimed, requireAnalysis } from '../analyses/read-analysis.ts';
import {
  insertUnresolved,
  listAttestedBy,
  withdrawAttested,
} from '../artifacts/artifacts-repository.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readTreeFile, staleDraft } from '../drafts/draft-files.ts';
import { findDraft, listLinkedAnalyses, recordRevision } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import type { Handle } from '../handle.ts';
import { findEffective, insertResolution, splitBlocking } from './gaps-repository.ts';

export interface ResolutionInput {
  readonly gap_id: string;
  readonly ref: string;
  readonly expected_revision: string;
  readonly event: ResolutionEvent;
}

async function requireLinked(
  handle: Handle,
  project: ProjectRow,
  row: AnalysisRow,
  input: ResolutionInput,
): Promise<string> {
  const ref = canonicalRef(input.ref);
  const linked = ref === undefined ? [] : await listLinkedAnalyses(handle, project.id, ref);
  if (ref === undefined || !linked.includes(row.id)) {
    throw refuse('analysis_not_for_ref', { details: { analysis_id: row.id, ref: input.ref } });
  }
  if (!parseIds(row.blocking_gap_ids).includes(input.gap_id)) {
    throw refuse('gap_unknown', { details: { analysis_id: row.id, gap_id: input.gap_id } });
  }
  return ref;
}

/** An attestation is about bytes that the author has seen and edited. */
async function requireAttestable(
  deps: StudioDeps,
  project: ProjectRow,
  row: AnalysisRow,
  ref: string,
  expected: string,
): Promise<void> {
  if (row.payload === null) throw reclaimed(row);
  if (row.state === 'quarantined') {
    throw refuse('analysis_quarantined', { details: { analysis_id: row.id } });
  }
  await requireConfirmedRoot(deps.db, project);
  const { revision } = await readTreeFile(project, ref);
  if (revision !== expected) throw staleDraft(ref, expected, revision);
  if (revision === row.output_sha256) {
    throw refuse('resolution_requires_an_edit', { details: { analysis_id: row.id, revision } });
  }
  const draft = await findDraft(deps.db, project.id, ref);
  if (draft !== undefined) await recordRevision(deps.db, draft, revision);
}

/** Artifacts that rely on the pair lose their attestation: the gap is unresolved again (7.2). */
async function invalidateArtifacts(
  trx: Handle,
  row: AnalysisRow,
  gapId: string,
  revision: string,
): Promise<void> {
  for (const artifactId of await listAttestedBy(trx, {
    analysis_id: row.id,
    gap_id: gapId,
    revision,
  })) {
    await withdrawAttested(trx, artifactId);
    await insertUnresolved(trx, [{ artifact_id: artifactId, analysis_id: row.id, gap_id: gapId }]);
  }
}

async function append(
  deps: StudioDeps,
  trx: Handle,
  member: Member,
  row: AnalysisRow,
  input: ResolutionInput,
): Promise<number> {
  const { gap_id, expected_revision: revision, event } = input;
  const current = await findEffective(trx, row.id, gap_id, revision);
  if (current?.event === event) return current.seq;
  if (current === undefined && event === 'retract') {
    throw refuse('nothing_to_retract', { details: { analysis_id: row.id, gap_id, revision } });
  }
  const seq = (current?.seq ?? 0) + 1;
  await insertResolution(trx, {
    analysis_id: row.id,
    gap_id,
    revision,
    seq,
    event,
    principal_id: member.principal.id,
    at: deps.timestamp(),
  });
  if (event === 'retract') await invalidateArtifacts(trx, row, gap_id, revision);
  await recordAct(deps, trx, member, event === 'attest' ? 'attest_gap' : 'retract_gap', {
    analysis_id: row.id,
    gap_id,
    revision,
    seq,
  });
  return seq;
}

/** Attests or retracts one blocking gap at one exact revision; order of studio.md 8.4. */
export async function resolveGap(
  deps: StudioDeps,
  member: Member,
  analysisId: string,
  input: ResolutionInput,
): Promise<GapResolutionView> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    const row = await requireAnalysis(deps.db, project, analysisId);
    const ref = await requireLinked(deps.db, project, row, input);
    const revision = input.expected_revision;
    if (input.event === 'attest') await requireAttestable(deps, project, row, ref, revision);
    return inTransaction(deps.db, async (trx) => {
      const seq = await append(deps, trx, member, row, input);
      const applicable = await listApplicable(trx, project.id, ref, revision);
      const { open } = await splitBlocking(trx, project.id, applicable, revision);
      return {
        analysis_id: row.id,
        gap_id: input.gap_id,
        effective_event: input.event,
        revision,
        seq,
        outstanding_blocking_gaps: open,
      };
    });
  });
}
