import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { AnalysisParams, ProjectParams, Sha256 } from './fields.ts';
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

export const getAnalysis = defineRoute({
  id: 'get_analysis',
  service: 'studio',
  method: 'GET',
  path: '/projects/{project_id}/analyses/{analysis_id}',
  summary: 'Gaps and suggestions of one analysis',
  params: AnalysisParams,
  responses: { 200: AnalysisView },
  errors: [
    'analysis_not_found',
    'analysis_quarantined',
    'analysis_payload_reclaimed',
    'analysis_keys_unavailable',
  ],
  access: 'viewer',
});

export const listAnalyses = defineRoute({
  id: 'list_analyses',
  service: 'studio',
  method: 'GET',
  path: '/projects/{project_id}/analyses',
  summary: 'Ids of the live analyses of those exact bytes',
  params: ProjectParams,
  query: z.object({ output_sha256: z.string() }),
  responses: { 200: z.array(z.string()) },
  access: 'viewer',
});
