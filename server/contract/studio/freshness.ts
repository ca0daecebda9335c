import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { AnalyzerAge } from './analyses.ts';
import { ArtifactParams, ProjectParams, Sha256, Timestamp } from './fields.ts';

export const LineageOutcome = z.enum([
  'current',
  'older',
  'newer',
  'unknown',
  'unordered',
  'frozen_history',
  'invalid',
]);
export type LineageOutcome = z.infer<typeof LineageOutcome>;

export const FreshnessOutcome = z.enum([
  ...LineageOutcome.options,
  'edited_revision',
  'no_inherited_analysis',
]);
export type FreshnessOutcome = z.infer<typeof FreshnessOutcome>;

const CarriedAnalysisView = z
  .strictObject({
    age: AnalyzerAge,
    analysis_id: z.string(),
    analyzer_version: z.string(),
    importer_version: z.string(),
    state: z.enum(['active', 'quarantined']),
    superseded_by: z.string().nullable(),
  })
  .meta({ id: 'CarriedAnalysisView' });
export type CarriedAnalysisView = z.infer<typeof CarriedAnalysisView>;

export const FreshnessOffer = z
  .strictObject({
    analysis_id: z.string().nullable(),
    kind: z.enum(['re_import', 'open_successor', 'new_artifact', 'quarantine_surface']),
    ref: z.string().nullable(),
  })
  .meta({ id: 'FreshnessOffer' });
export type FreshnessOffer = z.infer<typeof FreshnessOffer>;

export const LineageFreshnessView = z
  .strictObject({
    age: AnalyzerAge.nullable(),
    carried: z.array(CarriedAnalysisView),
    elected_analysis_id: z.string().nullable(),
    elected_in_frozen_set: z.boolean(),
    importer: z.string(),
    invalid: z.boolean(),
    offers: z.array(FreshnessOffer),
    ordered: z.boolean(),
    outcome: LineageOutcome,
    output_sha256: Sha256,
    source_sha256: Sha256,
  })
  .meta({ id: 'LineageFreshnessView' });
export type LineageFreshnessView = z.infer<typeof LineageFreshnessView>;

export const ComponentFreshnessView = z
  .strictObject({
    edited_revision: z.boolean(),
    lineages: z.array(LineageFreshnessView),
    outcome: FreshnessOutcome,
    position: z.int(),
    ref: z.string(),
    revision: Sha256,
  })
  .meta({ id: 'ComponentFreshnessView' });
export type ComponentFreshnessView = z.infer<typeof ComponentFreshnessView>;

export const ArtifactFreshnessView = z
  .strictObject({
    artifact_id: z.string(),
    components: z.array(ComponentFreshnessView),
    legacy_coverage_rule: z.boolean(),
    outcome: FreshnessOutcome,
    readiness: z.string(),
    running_analyzer_version: z.string(),
  })
  .meta({ id: 'ArtifactFreshnessView' });
export type ArtifactFreshnessView = z.infer<typeof ArtifactFreshnessView>;

export const getFreshness = studioRoute.get('get_artifact_freshness', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/freshness',
  summary: 'Whether the analyses that the artifact carries are still the latest word',
  params: ArtifactParams,
  responses: { 200: ArtifactFreshnessView },
  errors: ['artifact_not_found', 'artifact_deleted'],
  access: 'viewer',
});

/** One artifact in the overview: its advice in a word, and the kinds of what is offered for it. */
export const FreshnessRow = z
  .strictObject({
    artifact_id: z.string(),
    base_ref: z.string(),
    created_at: Timestamp,
    outcome: FreshnessOutcome,
    readiness: z.string(),
    offers: z.array(FreshnessOffer.shape.kind),
  })
  .meta({ id: 'FreshnessRow' });
export type FreshnessRow = z.infer<typeof FreshnessRow>;

export const ProjectFreshness = z
  .strictObject({ running_analyzer_version: z.string(), artifacts: z.array(FreshnessRow) })
  .meta({ id: 'ProjectFreshness' });
export type ProjectFreshness = z.infer<typeof ProjectFreshness>;

export const getProjectFreshness = studioRoute.get('get_project_freshness', {
  path: '/projects/{project_id}/freshness',
  summary: 'Freshness of all artifacts of a project, newest first',
  params: ProjectParams,
  responses: { 200: ProjectFreshness },
  access: 'viewer',
});
