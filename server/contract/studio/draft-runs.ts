import { z } from 'zod';
import { rehearsal } from '../platform/rehearsals.ts';
import { studioRoute } from '../route.ts';
import { DraftRef, ProjectParams, Sha256, Timestamp } from './fields.ts';
import { BUFFER_ERRORS, PreviewRequest, StageView } from './govern.ts';

/** Bounds of a preview's buffer hold for a run's too. */
const DraftRunRequest = PreviewRequest.extend({
  input: z.string(),
  /** Additive: what answers in place of steps and tools; sent with the run and not stored here. */
  rehearsal: rehearsal.optional(),
}).meta({ id: 'DraftRunRequest' });

export const DraftRun = z
  .strictObject({
    id: z.string(),
    platform_run_id: z.string(),
    draft: DraftRef,
    text_sha256: Sha256,
    created_at: Timestamp,
  })
  .meta({ id: 'DraftRun' });
export type DraftRun = z.infer<typeof DraftRun>;

/** Details of `draft_not_runnable`: the stages that the text went through. */
export const DraftStages = z.object({ stages: z.array(StageView) });

/** What the run's `caller_metadata` says under `authoring`: the way back from the run to its draft. */
export interface AuthoringFacts {
  readonly project_id: string;
  readonly draft: string;
  readonly revision: string;
  readonly text_sha256: string;
  /** The text that ran is not the one that is saved. */
  readonly unsaved: boolean;
}

/** Additive: a run of the text as it stands in an editor, saved or not. */
export const startDraftRun = studioRoute.post('start_draft_run', {
  path: '/projects/{project_id}/draft-runs',
  summary: 'Run an editor buffer on the bound platform; no artifact is made',
  params: ProjectParams,
  body: DraftRunRequest,
  responses: { 202: DraftRun },
  errors: [...BUFFER_ERRORS, 'draft_not_runnable'],
  access: 'editor',
  meta: { audit: 'start_draft_run' },
});
