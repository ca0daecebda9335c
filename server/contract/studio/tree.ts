import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { DraftBody, DraftCapabilities, DraftKind, DraftOrigin } from './drafts.ts';
import { FileText, ProjectParams, Sha256, Timestamp } from './fields.ts';

/** A file of the tree that is or could be a draft (studio.md 18). */
export const TreeEntry = z
  .strictObject({
    ref: z.string(),
    size: z.int(),
    /** In the generated namespace, shown as "Drafts". */
    generated: z.boolean(),
    registered: z.boolean(),
    kind: DraftKind.nullable(),
    capabilities: DraftCapabilities.nullable(),
    origin: DraftOrigin.nullable(),
    /** Its text begins as a spec does. */
    spec: z.boolean(),
  })
  .meta({ id: 'TreeEntry' });
export type TreeEntry = z.infer<typeof TreeEntry>;

/** `truncated`: the tree holds more files than one answer lists. */
export const TreeView = z
  .strictObject({
    entries: z.array(TreeEntry),
    truncated: z.boolean(),
    /** The first of the files and folders whose names no draft can have; they are left out. */
    unusable: z.array(z.string()),
    /** Another one after every change that was seen on disk. */
    version: z.string(),
  })
  .meta({ id: 'TreeView' });
export type TreeView = z.infer<typeof TreeView>;

/** `watched` false: changes of others are not seen; the tree has to be read now and then. */
const TreeVersion = z
  .strictObject({ version: z.string(), watched: z.boolean() })
  .meta({ id: 'TreeVersion' });

const RegisterFilesRequest = z
  .strictObject({
    paths: z.array(z.string()).min(1).max(5000),
    capabilities: DraftCapabilities,
    exposure_digest: z.string(),
  })
  .meta({ id: 'RegisterFilesRequest' });

/** `refused`: files that are gone or no drafts by now. */
export const RegisteredFiles = z
  .strictObject({ registered: z.array(z.string()), refused: z.array(z.string()) })
  .meta({ id: 'RegisteredFiles' });
export type RegisteredFiles = z.infer<typeof RegisteredFiles>;

const CreateFileRequest = z
  .strictObject({ path: z.string(), kind: DraftKind, text: FileText })
  .meta({ id: 'CreateFileRequest' });

/** Where a draft whose file is missing may have gone: files that are no drafts yet. */
export const MovedCandidates = z
  .strictObject({
    /** Of the missing file, when it was last seen. */
    revision: Sha256.nullable(),
    candidates: z.array(z.strictObject({ ref: z.string(), same_text: z.boolean() })),
  })
  .meta({ id: 'MovedCandidates' });
export type MovedCandidates = z.infer<typeof MovedCandidates>;

export const TrashEntry = z
  .strictObject({
    id: z.string(),
    ref: z.string(),
    revision: Sha256,
    size: z.int(),
    kind: DraftKind,
    deleted_at: Timestamp,
    /** Display name of who deleted it. */
    deleted_by: z.string(),
    /** When it is removed for good. */
    ends_at: Timestamp,
  })
  .meta({ id: 'TrashEntry' });
export type TrashEntry = z.infer<typeof TrashEntry>;

const TrashView = z.strictObject({ entries: z.array(TrashEntry) }).meta({ id: 'TrashView' });

const DeleteFileRequest = z
  .strictObject({ ref: z.string(), expected_revision: z.string() })
  .meta({ id: 'DeleteFileRequest' });

const RestoreRequest = z
  .strictObject({ ref: z.string().optional() })
  .meta({ id: 'RestoreRequest' });

const RestoredDraft = z
  .strictObject({ ref: z.string(), revision: Sha256 })
  .meta({ id: 'RestoredDraft' });

const TrashParams = z.object({ project_id: z.string(), entry_id: z.string() });
const ROOT = ['exposure_unconfirmed', 'project_root_unavailable'];
const WRITING = [...ROOT, 'draft_not_found', 'draft_write_failed'];

export const getTree = studioRoute.get('get_tree', {
  path: '/projects/{project_id}/tree',
  summary: 'Files of the tree that are or could be drafts',
  params: ProjectParams,
  responses: { 200: TreeView },
  errors: ROOT,
  access: 'owner',
});

export const getTreeVersion = studioRoute.get('get_tree_version', {
  path: '/projects/{project_id}/tree/version',
  summary: 'Whether the tree changed since it was read',
  params: ProjectParams,
  responses: { 200: TreeVersion },
  access: 'owner',
});

export const registerFiles = studioRoute.post('register_files', {
  path: '/projects/{project_id}/tree/registrations',
  summary: 'Make files of the tree specs of the project, all at once',
  params: ProjectParams,
  body: RegisterFilesRequest,
  responses: { 200: RegisteredFiles },
  errors: [...ROOT, 'exposure_changed'],
  access: 'owner',
  meta: { audit: 'register_draft' },
});

export const createFile = studioRoute.post('create_file', {
  path: '/projects/{project_id}/tree/files',
  summary: 'Create a draft at a path of the tree',
  params: ProjectParams,
  body: CreateFileRequest,
  responses: { 201: DraftBody },
  errors: [...WRITING, 'draft_exists'],
  access: 'owner',
  meta: { audit: 'create_draft' },
});

export const listMoved = studioRoute.get('list_moved_candidates', {
  path: '/projects/{project_id}/tree/moved',
  summary: 'Files that a draft whose file is missing may have become',
  params: ProjectParams,
  query: z.object({ ref: z.string() }),
  responses: { 200: MovedCandidates },
  errors: [...ROOT, 'draft_not_found'],
  access: 'owner',
});

export const listTrash = studioRoute.get('list_trash', {
  path: '/projects/{project_id}/trash',
  summary: 'Deleted drafts that can be put back, newest first',
  params: ProjectParams,
  responses: { 200: TrashView },
  access: 'editor',
});

export const trashDraft = studioRoute.post('trash_draft', {
  path: '/projects/{project_id}/trash',
  summary: 'Delete a draft; it can be put back for 30 days',
  params: ProjectParams,
  body: DeleteFileRequest,
  responses: { 201: TrashEntry },
  errors: [...WRITING, 'draft_stale', 'forbidden'],
  access: 'editor',
  meta: { audit: 'delete_draft' },
});

export const restoreDraft = studioRoute.post('restore_draft', {
  path: '/projects/{project_id}/trash/{entry_id}/restorations',
  summary: 'Put a deleted draft back, where it was or under another path',
  params: TrashParams,
  body: RestoreRequest,
  responses: { 200: RestoredDraft },
  errors: [...WRITING, 'draft_exists', 'trash_entry_not_found', 'forbidden'],
  access: 'editor',
  meta: { audit: 'restore_draft' },
});

export const purgeTrashEntry = studioRoute.delete('purge_trash_entry', {
  path: '/projects/{project_id}/trash/{entry_id}',
  summary: 'Remove a deleted draft for good',
  params: TrashParams,
  responses: { 204: null },
  errors: ['trash_entry_not_found'],
  access: 'owner',
  meta: { audit: 'purge_draft' },
});
