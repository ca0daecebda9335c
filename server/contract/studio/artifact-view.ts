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

/** `overrides_sha256` of an artifact without overrides: SHA-256 of `{}` (studio.md 7.1). */
export const NO_OVERRIDES = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

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
