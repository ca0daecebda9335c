import { z } from 'zod';
import { jsonObject, openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { deleteQuery, rowVersion, textBetween, timestamp } from './fields.ts';

/** Bytes of an opaque settings object as compact JSON. */
export const MAX_BLOB_BYTES = 16_384;

export const savedFilter = z
  .object({
    id: z.string(),
    name: z.string(),
    filters: openObject,
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'SavedFilter' });

export type SavedFilter = z.output<typeof savedFilter>;

const content = {
  name: textBetween(1, 120),
  filters: jsonObject(MAX_BLOB_BYTES).default({}),
};
export const savedFilterCreate = z.object(content).meta({ id: 'SavedFilterCreate' });
export const savedFilterUpdate = z
  .object({ ...content, version: rowVersion })
  .meta({ id: 'SavedFilterUpdate' });

const filterPath = z.object({ filter_id: z.string() });

export const listSavedFilters = dashboardRoute.get('listSavedFilters', {
  path: '/saved-filters',
  summary: 'Saved run filters by name',
  responses: { 200: z.array(savedFilter) },
  access: 'operator',
});

export const createSavedFilter = dashboardRoute.post('createSavedFilter', {
  path: '/saved-filters',
  summary: 'Save a run filter',
  body: savedFilterCreate,
  responses: { 201: savedFilter },
  access: 'filter.write',
});

export const updateSavedFilter = dashboardRoute.put('updateSavedFilter', {
  path: '/saved-filters/{filter_id}',
  summary: 'Replace a saved filter',
  params: filterPath,
  body: savedFilterUpdate,
  responses: { 200: savedFilter },
  errors: ['not_found', 'dashboard_state_conflict'],
  access: 'filter.write',
});

export const deleteSavedFilter = dashboardRoute.delete('deleteSavedFilter', {
  path: '/saved-filters/{filter_id}',
  summary: 'Remove a saved filter',
  params: filterPath,
  query: deleteQuery,
  responses: { 204: null },
  errors: ['not_found', 'dashboard_state_conflict'],
  access: 'filter.write',
});
