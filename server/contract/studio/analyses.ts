import { z } from 'zod';
import { jsonObject } from '../platform/recordings.ts';
import { studioRoute } from '../route.ts';
import { AnalysisParams, ProjectParams, Sha256, Timestamp } from './fields.ts';
import { Gap, Suggestion } from './gaps.ts';

export const AnalyzerAge = z.enum(['current', 'older', 'newer', 'unknown']);
export type AnalyzerAge = z.infer<typeof AnalyzerAge>;

export const RelatedRef = z
  .strictObject({
    path: z.string(),
    availability: z.enum(['present', 'missing']),
    revision: Sha256.nullable(),
    can_attest: z.boolean(),
    standing_attestations: z.array(z.strictObject({ gap_id: z.string(), revision: Sha256 })),
  })
  .meta({ id: 'RelatedRef' });
export type RelatedRef = z.infer<typeof RelatedRef>;

export const AnalysisView = z
  .strictObject({
    analysis_id: z.string(),
    analyzer_version: z.string(),
    analyzer_age: AnalyzerAge,
    gaps: z.array(Gap),
    related_refs: z.array(RelatedRef),
    suggestions: z.array(Suggestion),
  })
  .meta({ id: 'AnalysisView' });
export type AnalysisView = z.infer<typeof AnalysisView>;

/** A number that the source sets and the draft does not hold, by the source's name of it. */
export const SourceSetting = z
  .strictObject({ source_id: z.string(), name: z.string(), value: z.number() })
  .meta({ id: 'SourceSetting' });
export type SourceSetting = z.infer<typeof SourceSetting>;

/** Items that the source pins on an element in place of what it would give. */
export const PinnedItems = z
  .strictObject({ source_id: z.string(), items: z.array(jsonObject) })
  .meta({ id: 'PinnedItems' });
export type PinnedItems = z.infer<typeof PinnedItems>;

/** The source's own drawing, so that the gap page can show where a gap is. */
export const CanvasView = z
  .strictObject({
    nodes: z.array(
      z.strictObject({
        source_id: z.string(),
        label: z.string(),
        type: z.string(),
        locator: z.string(),
        position: z.strictObject({ x: z.number(), y: z.number() }).nullable(),
        disabled: z.boolean(),
        spec_ref: z.string().nullable(),
      }),
    ),
    edges: z.array(
      z.strictObject({ source_id: z.string(), target_id: z.string(), kind: z.string() }),
    ),
    settings: z.array(SourceSetting).optional(),
    pinned: z.array(PinnedItems).optional(),
  })
  .meta({ id: 'CanvasView' });
export type CanvasView = z.infer<typeof CanvasView>;

const READ_ERRORS = [
  'analysis_not_found',
  'analysis_quarantined',
  'analysis_payload_reclaimed',
  'analysis_keys_unavailable',
];

export const getAnalysis = studioRoute.get('get_analysis', {
  path: '/projects/{project_id}/analyses/{analysis_id}',
  summary: 'Gaps and suggestions of one analysis',
  params: AnalysisParams,
  responses: { 200: AnalysisView },
  errors: READ_ERRORS,
  access: 'viewer',
});

export const getAnalysisCanvas = studioRoute.get('get_analysis_canvas', {
  path: '/projects/{project_id}/analyses/{analysis_id}/canvas',
  summary: 'The nodes and connections of the imported source as it drew them',
  params: AnalysisParams,
  responses: { 200: CanvasView },
  errors: READ_ERRORS,
  access: 'viewer',
});

/** The draft as this analysis made it, before anyone edited it; null where it is not kept. */
export const GeneratedView = z
  .strictObject({
    spec_yaml: z.string().nullable(),
    revision: Sha256,
    created_at: Timestamp,
  })
  .meta({ id: 'GeneratedView' });
export type GeneratedView = z.infer<typeof GeneratedView>;

export const getGenerated = studioRoute.get('get_generated_draft', {
  path: '/projects/{project_id}/analyses/{analysis_id}/generated',
  summary: 'The draft as the import wrote it, the base of a three-way comparison',
  params: AnalysisParams,
  responses: { 200: GeneratedView },
  errors: READ_ERRORS,
  access: 'viewer',
});

export const listAnalyses = studioRoute.get('list_analyses', {
  path: '/projects/{project_id}/analyses',
  summary: 'Ids of the live analyses of those exact bytes',
  params: ProjectParams,
  query: z.object({ output_sha256: z.string() }),
  responses: { 200: z.array(z.string()) },
  access: 'viewer',
});
