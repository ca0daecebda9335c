import { z } from 'zod';
import { DraftRef, GapRef, Sha256, Timestamp } from './fields.ts';

export const SourceAnalysisState = z.enum([
  'unknown',
  'not_applicable',
  'clear',
  'blocked',
  'stale',
  'attested',
]);
export type SourceAnalysisState = z.infer<typeof SourceAnalysisState>;

export const AuthoredArtifact = z
  .strictObject({
    id: z.string(),
    project_id: z.string(),
    alias: z.string(),
    alias_generation: z.int(),
    base: DraftRef,
    overlays: z.array(DraftRef),
    overrides_sha256: Sha256,
    revision: Sha256,
    created_at: Timestamp,
    analysis_ids: z.array(z.string()),
    source_analysis_state: SourceAnalysisState,
    unacknowledged_manual_gaps: z.array(GapRef),
    unresolved_blocking_gaps: z.array(GapRef),
  })
  .meta({ id: 'AuthoredArtifact' });
export type AuthoredArtifact = z.infer<typeof AuthoredArtifact>;
