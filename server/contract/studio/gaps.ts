import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { AuthoredArtifact } from './artifact-view.ts';
import { AnalysisParams, ArtifactParams, GapId, GapRef, Sha256, Timestamp } from './fields.ts';

/** How much a gap weighs, the gravest first. */
export const GapSeverity = z.enum(['blocking', 'manual', 'info']);
export type GapSeverity = z.infer<typeof GapSeverity>;

const SourceRefView = z
  .strictObject({
    source_id: z.string(),
    source_label: z.string(),
    locator: z.string().nullable(),
  })
  .meta({ id: 'SourceRefView' });

export const Gap = z
  .strictObject({
    ref: GapRef,
    kind: z.string(),
    severity: GapSeverity,
    source_ref: SourceRefView,
    spec_ref: z.string().nullable(),
    title: z.string(),
    detail: z.string(),
  })
  .meta({ id: 'Gap' });
export type Gap = z.infer<typeof Gap>;

export const Suggestion = z
  .strictObject({
    id: z.string(),
    category: z.enum(['tool_permission', 'guardrail', 'human_approval', 'secret_ref']),
    title: z.string(),
    detail: z.string(),
    spec_ref: z.string().nullable(),
    rationale: z.string(),
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.infer<typeof Suggestion>;

export const GapAck = z
  .strictObject({
    gap: GapRef,
    acknowledged_by_display_name: z.string(),
    acknowledged_at: Timestamp,
  })
  .meta({ id: 'GapAck' });
export type GapAck = z.infer<typeof GapAck>;

const AcknowledgeGapRequest = z.strictObject({ gap: GapRef }).meta({ id: 'AcknowledgeGapRequest' });
export const AcknowledgeGapResponse = z
  .strictObject({ artifact: AuthoredArtifact, acknowledgement: GapAck })
  .meta({ id: 'AcknowledgeGapResponse' });
export type AcknowledgeGapResponse = z.infer<typeof AcknowledgeGapResponse>;

export const ResolutionEvent = z.enum(['attest', 'retract']);
export type ResolutionEvent = z.infer<typeof ResolutionEvent>;

const GapResolutionRequest = z
  .strictObject({
    gap_id: GapId,
    ref: z.string(),
    expected_revision: z.string(),
    event: ResolutionEvent,
  })
  .meta({ id: 'GapResolutionRequest' });

export const GapResolutionView = z
  .strictObject({
    analysis_id: z.string(),
    gap_id: z.string(),
    effective_event: ResolutionEvent,
    revision: Sha256,
    seq: z.int(),
    outstanding_blocking_gaps: z.array(GapRef),
  })
  .meta({ id: 'GapResolutionView' });
export type GapResolutionView = z.infer<typeof GapResolutionView>;

/** One entry of the log of attestations and retractions: who, when, about which bytes. */
export const GapResolutionRecord = z
  .strictObject({
    gap_id: z.string(),
    revision: Sha256,
    seq: z.int(),
    event: ResolutionEvent,
    by_display_name: z.string(),
    at: Timestamp,
  })
  .meta({ id: 'GapResolutionRecord' });
export type GapResolutionRecord = z.infer<typeof GapResolutionRecord>;

export const acknowledgeGap = studioRoute.post('acknowledge_gap', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/acknowledgements',
  summary: 'Acknowledge a manual gap for one artifact',
  params: ArtifactParams,
  body: AcknowledgeGapRequest,
  responses: { 201: AcknowledgeGapResponse },
  errors: ['artifact_not_found', 'artifact_deleted', 'gap_unknown', 'analysis_stale'],
  access: 'editor',
  meta: { audit: 'acknowledge_gap' },
});

export const listAcknowledgements = studioRoute.get('list_acknowledgements', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/acknowledgements',
  summary: 'Who acknowledged which gap of an artifact, and when',
  params: ArtifactParams,
  responses: { 200: z.array(GapAck) },
  errors: ['artifact_not_found', 'artifact_deleted'],
  access: 'viewer',
});

export const resolveGap = studioRoute.post('resolve_gap', {
  path: '/projects/{project_id}/analyses/{analysis_id}/resolutions',
  summary: 'Attest or retract one blocking gap at one exact revision',
  params: AnalysisParams,
  body: GapResolutionRequest,
  responses: { 200: GapResolutionView },
  errors: [
    'analysis_not_found',
    'analysis_not_for_ref',
    'gap_unknown',
    'analysis_payload_reclaimed',
    'analysis_quarantined',
    'draft_not_found',
    'draft_stale',
    'resolution_requires_an_edit',
    'nothing_to_retract',
  ],
  access: 'owner',
  meta: { audit: 'resolve_gap' },
});

export const listResolutions = studioRoute.get('list_resolutions', {
  path: '/projects/{project_id}/analyses/{analysis_id}/resolutions',
  summary: 'The log of attestations and retractions of an analysis, oldest first',
  params: AnalysisParams,
  responses: { 200: z.array(GapResolutionRecord) },
  errors: ['analysis_not_found'],
  access: 'viewer',
});
