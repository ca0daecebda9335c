import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { dashboardRoute } from '../route.ts';
import { deleteQuery, PLATFORM_BACKED, rowVersion, textBetween, timestamp } from './fields.ts';

export const annotation = z
  .object({
    id: z.string(),
    run_id: z.string(),
    body: z.string(),
    tags: z.array(z.string()),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Annotation' });

export type Annotation = z.output<typeof annotation>;

const content = {
  body: textBetween(1, 10_000),
  tags: z.array(textBetween(0, 100)).max(64).default([]),
};
export const annotationCreate = z.object(content).meta({ id: 'AnnotationCreate' });
export const annotationUpdate = z
  .object({ ...content, version: rowVersion })
  .meta({ id: 'AnnotationUpdate' });

const runPath = z.object({ run_id: z.string() });
const annotationPath = z.object({ annotation_id: z.string() });

export const listAnnotations = dashboardRoute.get('listAnnotations', {
  path: '/runs/{run_id}/annotations',
  summary: 'Notes on a run, oldest first',
  params: runPath,
  responses: { 200: z.array(annotation) },
  access: 'operator',
});

/** Additive. The platform of the environment is asked which runs are its own, where a role is limited. */
export const listTaggedAnnotations = dashboardRoute.get('listTaggedAnnotations', {
  path: '/annotations',
  summary: 'Notes of all runs that have a tag, newest first',
  query: z.object({
    tag: textBetween(1, 100),
    limit: lenientInteger({ min: 1, max: 1000 }).default(500),
  }),
  responses: { 200: z.array(annotation) },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const createAnnotation = dashboardRoute.post('createAnnotation', {
  path: '/runs/{run_id}/annotations',
  summary: 'Add a note to a run',
  params: runPath,
  body: annotationCreate,
  responses: { 201: annotation },
  access: 'annotate',
});

export const updateAnnotation = dashboardRoute.put('updateAnnotation', {
  path: '/annotations/{annotation_id}',
  summary: 'Replace a note',
  params: annotationPath,
  body: annotationUpdate,
  responses: { 200: annotation },
  errors: ['not_found', 'dashboard_state_conflict'],
  access: 'annotate',
});

export const deleteAnnotation = dashboardRoute.delete('deleteAnnotation', {
  path: '/annotations/{annotation_id}',
  summary: 'Remove a note',
  params: annotationPath,
  query: deleteQuery,
  responses: { 204: null },
  errors: ['not_found', 'dashboard_state_conflict'],
  access: 'annotate',
});
