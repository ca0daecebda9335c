import type {
  AnalysisEstateRow,
  AnalysisRow,
  DraftManifestRow,
} from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

export async function insertEstate(handle: Handle, row: AnalysisEstateRow): Promise<void> {
  await handle.insertInto('analysis_estate').values(row).execute();
}

/** An analysis of a draft, with what it says for the map where it was made since there is one. */
export type DraftAnalysis = Pick<DraftManifestRow, 'ref' | 'last_known_revision'> &
  Pick<AnalysisRow, 'id' | 'project_id' | 'blocking_gap_ids'> & { readonly estate: string | null };

/** The live analyses of all drafts of a project, by ref, the latest link of each first. */
export async function listDraftAnalyses(
  handle: Handle,
  projectId: string,
): Promise<DraftAnalysis[]> {
  return handle
    .selectFrom('draft_manifest as draft')
    .innerJoin('manifest_analysis as link', (join) =>
      join.onRef('link.project_id', '=', 'draft.project_id').onRef('link.ref', '=', 'draft.ref'),
    )
    .innerJoin('analysis', 'analysis.id', 'link.analysis_id')
    .leftJoin('analysis_estate as estate', 'estate.analysis_id', 'analysis.id')
    .select([
      'draft.ref',
      'draft.last_known_revision',
      'analysis.id',
      'analysis.project_id',
      'analysis.blocking_gap_ids',
      'estate.payload as estate',
    ])
    .where('draft.project_id', '=', projectId)
    .where('analysis.state', '=', 'active')
    .where('analysis.superseded_by', 'is', null)
    .orderBy('draft.ref')
    .orderBy('link.linked_at', 'desc')
    .orderBy('analysis.id')
    .execute();
}

/** The log of attestations of all analyses of a project. */
export async function listProjectResolutions(handle: Handle, projectId: string) {
  return handle
    .selectFrom('gap_resolution')
    .innerJoin('analysis', 'analysis.id', 'gap_resolution.analysis_id')
    .select([
      'gap_resolution.analysis_id',
      'gap_resolution.gap_id',
      'gap_resolution.revision',
      'gap_resolution.seq',
      'gap_resolution.event',
    ])
    .where('analysis.project_id', '=', projectId)
    .execute();
}
