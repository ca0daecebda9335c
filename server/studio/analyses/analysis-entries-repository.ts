import { sql } from 'kysely';
import type { Handle } from '../handle.ts';

/** A draft with an analysis that applies to it. */
export interface AnalysedDraft {
  readonly ref: string;
  readonly analysis_id: string;
}

/** Every registered draft of a project with each analysis that is linked to it. */
export async function listAnalysedDrafts(
  handle: Handle,
  projectId: string,
): Promise<AnalysedDraft[]> {
  return handle
    .selectFrom('draft_manifest as draft')
    .innerJoin('manifest_analysis as link', (join) =>
      join.onRef('link.project_id', '=', 'draft.project_id').onRef('link.ref', '=', 'draft.ref'),
    )
    .select(['draft.ref', 'link.analysis_id'])
    .where('draft.project_id', '=', projectId)
    .execute();
}

/** The drafts of an artifact with the analyses that it froze for each. */
export async function listFrozenAnalyses(
  handle: Handle,
  artifactId: string,
): Promise<AnalysedDraft[]> {
  return handle
    .selectFrom('artifact_component_analysis as link')
    .innerJoin('artifact_component as part', (join) =>
      join
        .onRef('part.artifact_id', '=', 'link.artifact_id')
        .onRef('part.position', '=', 'link.position'),
    )
    .select(['part.ref', 'link.analysis_id'])
    .where('link.artifact_id', '=', artifactId)
    .execute();
}

/** Analyses of a project by id, with who made each; the sealed detail is not read. */
export async function listAnalysesWithAuthor(
  handle: Handle,
  projectId: string,
  ids: readonly string[],
) {
  if (ids.length === 0) return [];
  return handle
    .selectFrom('analysis')
    .leftJoin('principal', 'principal.id', 'analysis.created_by')
    .select([
      'analysis.id',
      'analysis.source',
      'analysis.importer',
      'analysis.importer_version',
      'analysis.analyzer_version',
      'analysis.source_sha256',
      'analysis.output_sha256',
      'analysis.state',
      'analysis.superseded_by',
      'analysis.blocking_gap_ids',
      'analysis.manual_gap_ids',
      'analysis.created_at',
      'principal.display_name',
      sql<0 | 1>`CASE WHEN analysis.payload IS NULL THEN 1 ELSE 0 END`.as('reclaimed'),
    ])
    .where('analysis.project_id', '=', projectId)
    .where('analysis.id', 'in', ids)
    .execute();
}

/** The log of attestations of some analyses. */
export async function listResolutionsOf(handle: Handle, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return handle
    .selectFrom('gap_resolution')
    .select(['analysis_id', 'gap_id', 'revision', 'seq', 'event'])
    .where('analysis_id', 'in', ids)
    .execute();
}

/** Live artifacts that carry some analyses, by their base, newest first. */
export async function listCarriers(handle: Handle, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return handle
    .selectFrom('artifact_component_analysis as link')
    .innerJoin('authored_artifact as artifact', 'artifact.id', 'link.artifact_id')
    .innerJoin('artifact_component as base', 'base.artifact_id', 'artifact.id')
    .select(['link.analysis_id', 'link.artifact_id', 'base.ref'])
    .where('link.analysis_id', 'in', ids)
    .where('artifact.deleted_at', 'is', null)
    .where('base.position', '=', 0)
    .orderBy('artifact.created_at', 'desc')
    .orderBy('artifact.id', 'desc')
    .execute();
}

/** Gaps of some analyses that are acknowledged, for each artifact. */
export async function listAcknowledgedOf(handle: Handle, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return handle
    .selectFrom('gap_acknowledgement')
    .select(['artifact_id', 'analysis_id', 'gap_id'])
    .where('analysis_id', 'in', ids)
    .execute();
}
