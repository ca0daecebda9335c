import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { DraftRef, DraftRefBody, ProjectParams } from './fields.ts';

const WriteFunctionRequest = z
  .strictObject({
    draft: DraftRefBody,
    /** A function component of the draft, or one of its tools. */
    kind: z.enum(['function', 'tool']),
    name: z.string(),
  })
  .meta({ id: 'WriteFunctionRequest' });

export const WrittenFunction = z
  .strictObject({
    /** What the draft names now. */
    implementation: z.string(),
    /** Made in the project's folder: the code, then its test. */
    files: z.array(z.string()),
    draft: DraftRef,
  })
  .meta({ id: 'WrittenFunction' });
export type WrittenFunction = z.infer<typeof WrittenFunction>;

/** Additive: code to begin with for a step or tool that has none. */
export const writeFunction = studioRoute.post('write_function', {
  path: '/projects/{project_id}/functions',
  summary: 'Make a function with its test in the project, and name it in the draft',
  params: ProjectParams,
  body: WriteFunctionRequest,
  responses: { 201: WrittenFunction },
  errors: [
    'draft_not_found',
    'exposure_unconfirmed',
    'project_root_unavailable',
    'draft_stale',
    'draft_read_only',
    'draft_exists',
    'draft_write_failed',
  ],
  access: 'editor',
  meta: { audit: 'save_draft' },
});
