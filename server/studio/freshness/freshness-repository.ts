import type {
  AnalysisRow,
  ArtifactComponentRow,
  AuthoredArtifactRow,
} from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** What of an analysis decides whether it is still the latest word; what is sealed is not read. */
export type FreshHead = Pick<
  AnalysisRow,
  | 'id'
  | 'source_sha256'
  | 'importer'
  | 'importer_version'
  | 'analyzer_version'
  | 'output_sha256'
  | 'state'
  | 'superseded_by'
>;

const FRESH = [
  'id',
  'source_sha256',
  'importer',
  'importer_version',
  'analyzer_version',
  'output_sha256',
  'state',
  'superseded_by',
] as const;

/** Live artifacts of a project with what freshness needs of them. */
export interface FreshnessRecords {
  /** Newest first. */
  readonly artifacts: readonly AuthoredArtifactRow[];
  /** Base, then overlays, of each. */
  readonly components: readonly ArtifactComponentRow[];
  /** The analyses frozen for a component, ascending by analysis. */
  readonly frozen: readonly { artifact_id: string; position: number; analysis_id: string }[];
  /** Those analyses, and all that share a draft with them as the import wrote it; by id. */
  readonly heads: readonly FreshHead[];
}

/** In four statements for one artifact, or for all of them. */
export async function readFreshnessRecords(
  handle: Handle,
  projectId: string,
  artifactId?: string,
): Promise<FreshnessRecords> {
  const live = handle
    .selectFrom('authored_artifact')
    .where('authored_artifact.project_id', '=', projectId)
    .where('authored_artifact.deleted_at', 'is', null)
    .$if(artifactId !== undefined, (query) =>
      query.where('authored_artifact.id', '=', artifactId ?? ''),
    );
  const links = live.innerJoin(
    'artifact_component_analysis as link',
    'link.artifact_id',
    'authored_artifact.id',
  );
  const [artifacts, components, frozen, heads] = await Promise.all([
    live
      .selectAll('authored_artifact')
      .orderBy('authored_artifact.created_at', 'desc')
      .orderBy('authored_artifact.id', 'desc')
      .execute(),
    live
      .innerJoin('artifact_component as part', 'part.artifact_id', 'authored_artifact.id')
      .selectAll('part')
      .orderBy('part.artifact_id')
      .orderBy('part.position')
      .execute(),
    links
      .select(['link.artifact_id', 'link.position', 'link.analysis_id'])
      .orderBy('link.artifact_id')
      .orderBy('link.position')
      .orderBy('link.analysis_id')
      .execute(),
    handle
      .selectFrom('analysis')
      .select(FRESH)
      .where('project_id', '=', projectId)
      .where(
        'output_sha256',
        'in',
        links
          .innerJoin('analysis as carried', 'carried.id', 'link.analysis_id')
          .select('carried.output_sha256'),
      )
      .orderBy('id')
      .execute(),
  ]);
  return { artifacts, components, frozen, heads };
}
