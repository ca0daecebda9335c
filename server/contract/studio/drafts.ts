import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { DraftParams, DraftRefBody, FileText, ProjectParams, Sha256, Timestamp } from './fields.ts';

export const DraftKind = z.enum(['spec', 'overlay', 'skill_source']);
export type DraftKind = z.infer<typeof DraftKind>;
export const DraftCapabilities = z.enum(['read', 'read_write']);
export type DraftCapabilities = z.infer<typeof DraftCapabilities>;
export const DraftOrigin = z.enum(['authored', 'import']);
export type DraftOrigin = z.infer<typeof DraftOrigin>;

export const DraftBody = z
  .strictObject({ ref: z.string(), text: z.string(), revision: Sha256 })
  .meta({ id: 'DraftBody' });
export type DraftBody = z.infer<typeof DraftBody>;

export const DraftSummary = z
  .strictObject({
    ref: z.string(),
    kind: z.string(),
    capabilities: z.string(),
    registered_at: Timestamp,
    revision: Sha256.nullable(),
    analysis_ids: z.array(z.string()),
    can_assert_not_applicable: z.boolean(),
    not_applicable_asserted: z.boolean(),
  })
  .meta({ id: 'DraftSummary' });
export type DraftSummary = z.infer<typeof DraftSummary>;

export const DraftReassociationView = z
  .strictObject({ analysis_ids: z.array(z.string()), new_ref: z.string(), old_ref: z.string() })
  .meta({ id: 'DraftReassociationView' });
export type DraftReassociationView = z.infer<typeof DraftReassociationView>;

const WriteDraftRequest = z
  .strictObject({ text: FileText, expected_revision: z.string() })
  .meta({ id: 'WriteDraftRequest' });
const DraftRevision = z.strictObject({ revision: Sha256 }).meta({ id: 'DraftRevision' });

const SaveDraftsRequest = z
  .strictObject({
    drafts: z
      .array(z.strictObject({ ref: z.string(), text: FileText, expected_revision: z.string() }))
      .min(1)
      .max(500),
  })
  .meta({ id: 'SaveDraftsRequest' });
const SavedDrafts = z
  .strictObject({ drafts: z.array(z.strictObject({ ref: z.string(), revision: Sha256 })) })
  .meta({ id: 'SavedDrafts' });

const RegisterRequest = z
  .strictObject({
    path: z.string(),
    kind: DraftKind.default('spec'),
    capabilities: DraftCapabilities.default('read'),
    exposure_digest: z.string(),
  })
  .meta({ id: 'RegisterRequest' });

const ReassociationRequest = z
  .strictObject({
    old_ref: z.string(),
    new_ref: z.string(),
    expected_revision: z.string(),
    exposure_digest: z.string(),
  })
  .meta({ id: 'ReassociationRequest' });

const AssertNotApplicableRequest = z
  .strictObject({ ref: DraftRefBody })
  .meta({ id: 'AssertNotApplicableRequest' });

const CreateDraftRequest = z
  .strictObject({ name: z.string(), kind: DraftKind, text: FileText })
  .meta({ id: 'CreateDraftRequest' });

const MoveDraftRequest = z
  .strictObject({ old_ref: z.string(), new_ref: z.string(), expected_revision: z.string() })
  .meta({ id: 'MoveDraftRequest' });

/** `from` is the new draft that the second import wrote, `ref` the edited one of the first. */
const MergeReimportRequest = z
  .strictObject({
    ref: z.string(),
    expected_revision: z.string(),
    from: z.string(),
    from_revision: z.string(),
    text: FileText,
  })
  .meta({ id: 'MergeReimportRequest' });

export const MergedReimport = z
  .strictObject({ ref: z.string(), revision: Sha256, analysis_ids: z.array(z.string()) })
  .meta({ id: 'MergedReimport' });
export type MergedReimport = z.infer<typeof MergedReimport>;

const CONTENT = ['draft_not_found', 'exposure_unconfirmed', 'project_root_unavailable'];
const SAVING = [...CONTENT, 'draft_stale', 'draft_read_only', 'draft_write_failed'];

export const listDrafts = studioRoute.get('list_drafts', {
  path: '/projects/{project_id}/drafts',
  summary: 'Registered drafts by ref',
  params: ProjectParams,
  responses: { 200: z.array(DraftSummary) },
  errors: ['exposure_unconfirmed'],
  access: 'viewer',
});

export const readDraft = studioRoute.get('read_draft', {
  path: '/projects/{project_id}/drafts/{ref+}',
  summary: 'Text and revision of a draft',
  params: DraftParams,
  responses: { 200: DraftBody },
  errors: CONTENT,
  access: 'viewer',
});

export const writeDraft = studioRoute.put('write_draft', {
  path: '/projects/{project_id}/drafts/{ref+}',
  summary: 'Save a draft at the revision that the caller saw',
  params: DraftParams,
  body: WriteDraftRequest,
  responses: { 200: DraftRevision },
  errors: SAVING,
  access: 'editor',
  meta: { audit: 'save_draft' },
});

export const saveDrafts = studioRoute.post('save_drafts', {
  path: '/projects/{project_id}/drafts/saves',
  summary: 'Save several drafts at the revisions that the caller saw, or none of them',
  params: ProjectParams,
  body: SaveDraftsRequest,
  responses: { 200: SavedDrafts },
  errors: SAVING,
  access: 'editor',
  meta: { audit: 'save_draft' },
});

export const registerDraft = studioRoute.post('register_draft', {
  path: '/projects/{project_id}/drafts/register',
  summary: 'Make a file of the tree a draft',
  params: ProjectParams,
  body: RegisterRequest,
  responses: { 201: null },
  errors: [...CONTENT, 'exposure_changed'],
  access: 'owner',
  meta: { audit: 'register_draft' },
});

export const dropRegistration = studioRoute.delete('drop_registration', {
  path: '/projects/{project_id}/drafts/{ref+}/registration',
  summary: 'Forget a draft; its file stays',
  params: DraftParams,
  responses: { 204: null },
  errors: ['draft_not_found'],
  access: 'owner',
  meta: { audit: 'drop_registration' },
});

export const reassociateDraft = studioRoute.post('reassociate_draft', {
  path: '/projects/{project_id}/drafts/reassociations',
  summary: 'Let the analyses of a moved file follow its bytes',
  params: ProjectParams,
  body: ReassociationRequest,
  responses: { 200: DraftReassociationView },
  errors: [
    ...CONTENT,
    'reassociation_source_not_found',
    'reassociation_source_revision_unknown',
    'reassociation_target_conflict',
    'draft_stale',
    'exposure_stale',
  ],
  access: 'owner',
  meta: { audit: 'reassociate_draft' },
});

export const assertNotApplicable = studioRoute.post('assert_not_applicable', {
  path: '/projects/{project_id}/drafts/assertions',
  summary: 'Assert that a draft at this revision needs no source analysis',
  params: ProjectParams,
  body: AssertNotApplicableRequest,
  responses: { 204: null },
  errors: [...CONTENT, 'draft_stale', 'assertion_refused'],
  access: 'owner',
  meta: { audit: 'assert_not_applicable' },
});

export const createDraft = studioRoute.post('create_draft', {
  path: '/projects/{project_id}/drafts',
  summary: 'Create a draft in the generated namespace',
  params: ProjectParams,
  body: CreateDraftRequest,
  responses: { 201: DraftBody },
  errors: [
    'draft_exists',
    'exposure_unconfirmed',
    'project_root_unavailable',
    'draft_write_failed',
  ],
  access: 'editor',
  meta: { audit: 'create_draft' },
});

export const deleteDraft = studioRoute.delete('delete_draft', {
  path: '/projects/{project_id}/drafts/{ref+}',
  summary: 'Delete a draft of the generated namespace',
  params: DraftParams,
  query: z.object({ expected_revision: z.string() }),
  responses: { 204: null },
  errors: [...CONTENT, 'draft_stale', 'draft_read_only'],
  access: 'editor',
  meta: { audit: 'delete_draft' },
});

export const moveDraft = studioRoute.post('move_draft', {
  path: '/projects/{project_id}/drafts/moves',
  summary: 'Rename a draft on disk, its analyses with it',
  params: ProjectParams,
  body: MoveDraftRequest,
  responses: { 200: DraftReassociationView },
  errors: [...CONTENT, 'draft_exists', 'draft_stale', 'reassociation_target_conflict'],
  access: 'owner',
  meta: { audit: 'move_draft' },
});

export const mergeReimport = studioRoute.post('merge_reimport', {
  path: '/projects/{project_id}/drafts/reimports',
  summary: 'Put a merged re-import into the edited draft, its analyses with it',
  params: ProjectParams,
  body: MergeReimportRequest,
  responses: { 200: MergedReimport },
  errors: SAVING,
  access: 'editor',
  meta: { audit: 'merge_reimport' },
});
