import type { GapRef } from '../../contract/studio/fields.ts';
import type { ResolutionEvent } from '../../contract/studio/gaps.ts';
import type { GapResolutionRow } from '../../store/studio-tables.ts';
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
