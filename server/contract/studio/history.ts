import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { boundedText, DraftParams, Sha256, Timestamp } from './fields.ts';

/** One text that a draft had. */
export const DraftVersion = z
  .strictObject({
    id: z.int(),
    revision: Sha256,
    /** Bytes. */
    size: z.int(),
    /** `found`: written by something else, and met before it was saved over. */
    cause: z.enum(['found', 'save', 'merge', 'restore']),
    saved_at: Timestamp,
    /** Display name of who saved it; null when nobody here did. */
    saved_by: z.string().nullable(),
    name: z.string().nullable(),
  })
  .meta({ id: 'DraftVersion' });
export type DraftVersion = z.infer<typeof DraftVersion>;

const DraftHistory = z
  .strictObject({ ref: z.string(), versions: z.array(DraftVersion) })
  .meta({ id: 'DraftHistory' });

const VersionText = z
  .strictObject({ ref: z.string(), revision: Sha256, text: z.string() })
  .meta({ id: 'VersionText' });

const NameRequest = z
  .strictObject({ name: boundedText(1, 80).nullable() })
  .meta({ id: 'NameVersionRequest' });

const RestoreVersionRequest = z
  .strictObject({ expected_revision: z.string() })
  .meta({ id: 'RestoreVersionRequest' });

const VersionParams = z.object({ project_id: z.string(), version_id: z.string() });
const CONTENT = ['draft_not_found', 'exposure_unconfirmed', 'project_root_unavailable'];

export const getHistory = studioRoute.get('get_history', {
  path: '/projects/{project_id}/history/{ref+}',
  summary: 'Texts that a draft had, newest first',
  params: DraftParams,
  responses: { 200: DraftHistory },
  errors: CONTENT,
  access: 'viewer',
});

export const readVersion = studioRoute.get('read_version', {
  path: '/projects/{project_id}/versions/{version_id}',
  summary: 'One text that a draft had',
  params: VersionParams,
  responses: { 200: VersionText },
  errors: [...CONTENT, 'version_not_found'],
  access: 'viewer',
});

export const nameVersion = studioRoute.put('name_version', {
  path: '/projects/{project_id}/versions/{version_id}',
  summary: 'Give a version a name, with which it is kept, or take that away',
  params: VersionParams,
  body: NameRequest,
  responses: { 204: null },
  errors: [...CONTENT, 'version_not_found', 'version_names_full'],
  access: 'editor',
  meta: { audit: 'name_version' },
});

export const restoreVersion = studioRoute.post('restore_version', {
  path: '/projects/{project_id}/versions/{version_id}/restorations',
  summary: 'Save a text that the draft had once more',
  params: VersionParams,
  body: RestoreVersionRequest,
  responses: { 200: z.strictObject({ revision: Sha256 }).meta({ id: 'RestoredVersion' }) },
  errors: [...CONTENT, 'version_not_found', 'draft_stale', 'draft_read_only', 'draft_write_failed'],
  access: 'editor',
  meta: { audit: 'save_draft' },
});
