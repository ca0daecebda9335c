import type { GapRef } from '../../contract/studio/fields.ts';
import type { GapAck, ResolutionEvent } from '../../contract/studio/gaps.ts';
import type { GapAcknowledgementRow, GapResolutionRow } from '../../store/studio-tables.ts';
import { listAnalysisHeads } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import type { Handle } from '../handle.ts';
import { standingAttestations } from './gap-state.ts';

/** The latest event of one gap at one revision: the effective state. */
export async function findEffective(
  handle: Handle,
  analysisId: string,
  gapId: string,
  revision: string,
): Promise<{ event: ResolutionEvent; seq: number } | undefined> {
  return handle
    .selectFrom('gap_resolution')
    .select(['event', 'seq'])
    .where('analysis_id', '=', analysisId)
    .where('gap_id', '=', gapId)
    .where('revision', '=', revision)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The log of an analysis in the order of its events. */
export async function listResolutionRows(
  handle: Handle,
  analysisId: string,
): Promise<(GapResolutionRow & { display_name: string })[]> {
  return handle
    .selectFrom('gap_resolution')
    .innerJoin('principal', 'principal.id', 'gap_resolution.principal_id')
    .selectAll('gap_resolution')
    .select('principal.display_name')
    .where('analysis_id', '=', analysisId)
    .orderBy('at')
    .orderBy('gap_id')
    .orderBy('seq')
    .execute();
}

/** Gaps whose latest event is an attestation, with the revision it is about. */
export async function listStandingAttestations(
  handle: Handle,
  analysisId: string,
): Promise<{ gap_id: string; revision: string }[]> {
  return standingAttestations(await listResolutionRows(handle, analysisId));
}

/**
 * Blocking gaps of the given analyses at one revision, apart by whether they are attested there.
 * Ascending by analysis and gap.
 */
export async function splitBlocking(
  handle: Handle,
  projectId: string,
  analysisIds: readonly string[],
  revision: string,
): Promise<{ attested: GapRef[]; open: GapRef[] }> {
  const attested: GapRef[] = [];
  const open: GapRef[] = [];
  for (const head of await listAnalysisHeads(handle, projectId, analysisIds)) {
    const blocking = parseIds(head.blocking_gap_ids);
    if (blocking.length === 0) continue;
    const standing = await listStandingAttestations(handle, head.id);
    const here = new Set(
      standing.filter((item) => item.revision === revision).map((item) => item.gap_id),
    );
    for (const gap_id of blocking) {
      (here.has(gap_id) ? attested : open).push({ analysis_id: head.id, gap_id });
    }
  }
  return { attested, open };
}

/** Adds an event to the log of a gap. */
export async function insertResolution(handle: Handle, row: GapResolutionRow): Promise<void> {
  await handle.insertInto('gap_resolution').values(row).execute();
}

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

/** Adds an acknowledgement; false when the gap was acknowledged before. */
export async function insertAcknowledgement(
  handle: Handle,
  row: GapAcknowledgementRow,
): Promise<boolean> {
  const result = await handle
    .insertInto('gap_acknowledgement')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Gaps that are acknowledged for an artifact. */
export async function listAcknowledged(handle: Handle, artifactId: string): Promise<GapRef[]> {
  return handle
    .selectFrom('gap_acknowledgement')
    .select(['analysis_id', 'gap_id'])
    .where('artifact_id', '=', artifactId)
    .execute();
}
