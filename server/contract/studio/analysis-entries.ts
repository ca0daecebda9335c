import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { AnalyzerAge } from './analyses.ts';
import { ProjectParams, Sha256, Timestamp } from './fields.ts';

/** One analysis under one draft: whence it is, whether it can be read, and what of it is open. */
export const AnalysisEntry = z
  .strictObject({
    analysis_id: z.string(),
    /** The draft that its gaps are attested on. */
    ref: z.string(),
    /** Revision of that draft now; null when its file is missing or may not be read. */
    revision: Sha256.nullable(),
    /** False when it applies by the draft's bytes alone: an edit ends that. */
    linked: z.boolean(),
    source: z.string(),
    conversion: z.enum(['extended', 'strict']),
    importer: z.string(),
    importer_version: z.string(),
    analyzer_version: z.string(),
    analyzer_age: AnalyzerAge,
    source_sha256: Sha256,
    output_sha256: Sha256,
    state: z.enum(['active', 'quarantined']),
    record: z.enum(['kept', 'reclaimed']),
    superseded_by: z.string().nullable(),
    created_at: Timestamp,
    created_by_display_name: z.string().nullable(),
    blocking: z.int(),
    manual: z.int(),
    /** Blocking gaps that are not attested at the draft's revision. */
    open_blocking: z.int(),
    /** Gaps to review that are not acknowledged for `artifact_id`; all of them without one. */
    open_manual: z.int(),
    /** The artifact asked for if it carries the analysis, else the newest of the draft that does. */
    artifact_id: z.string().nullable(),
  })
  .meta({ id: 'AnalysisEntry' });
export type AnalysisEntry = z.infer<typeof AnalysisEntry>;

export const listAnalysisEntries = studioRoute.get('list_analysis_entries', {
  path: '/projects/{project_id}/analysis-entries',
  summary: 'All analyses of a draft, of an artifact or of the project, with what of each is open',
  params: ProjectParams,
  query: z.object({ ref: z.string().optional(), artifact_id: z.string().optional() }),
  responses: { 200: z.array(AnalysisEntry) },
  errors: ['draft_not_found', 'artifact_not_found', 'artifact_deleted'],
  access: 'viewer',
});
