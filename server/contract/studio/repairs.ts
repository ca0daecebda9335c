import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { boundedText, ProjectParams, Timestamp } from './fields.ts';

const Values = z.record(boundedText(1, 64), boundedText(0, 20_000));
const Workflows = z.array(boundedText(1, 400)).min(1).max(5_000);

/** An edit that was made in several drafts of a project, to be made again in later imports. */
export const RepairView = z
  .strictObject({
    id: z.string(),
    /** What it answers, equal in every import that has it. */
    cause: z.string(),
    fix: z.string(),
    title: z.string(),
    values: z.record(z.string(), z.string()),
    /** The workflows that it was made in, by what their exports call them. */
    workflows: z.array(z.string()),
    made_at: Timestamp,
  })
  .meta({ id: 'RepairView' });
export type RepairView = z.infer<typeof RepairView>;

const RecordRepairRequest = z
  .strictObject({
    cause: boundedText(1, 64),
    fix: boundedText(1, 64),
    title: boundedText(1, 200),
    values: Values,
    workflows: Workflows,
  })
  .meta({ id: 'RecordRepairRequest' });
export type RecordRepairRequest = z.infer<typeof RecordRepairRequest>;

const RepairParams = z.object({ project_id: z.string(), repair_id: z.string() });

export const listRepairs = studioRoute.get('list_repairs', {
  path: '/projects/{project_id}/repairs',
  summary: 'Edits that were made in many drafts, newest first',
  params: ProjectParams,
  responses: { 200: z.array(RepairView) },
  errors: ['analysis_keys_unavailable'],
  access: 'viewer',
});

export const recordRepair = studioRoute.post('record_repair', {
  path: '/projects/{project_id}/repairs',
  summary: 'Remember an edit of many drafts; the same one again adds its workflows',
  params: ProjectParams,
  body: RecordRepairRequest,
  responses: { 201: RepairView },
  errors: ['analysis_keys_unavailable'],
  access: 'editor',
  meta: { audit: 'record_repair' },
});

export const forgetRepair = studioRoute.delete('forget_repair', {
  path: '/projects/{project_id}/repairs/{repair_id}',
  summary: 'Forget such an edit; the drafts keep it',
  params: RepairParams,
  responses: { 204: null },
  access: 'editor',
  meta: { audit: 'forget_repair' },
});
