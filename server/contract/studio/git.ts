import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { DraftParams, ProjectParams } from './fields.ts';

/**
 * Whether git answers for the project's folder: `not_trusted` where git itself refuses a repository
 * of somebody else, `unreadable` where it fails or takes too long.
 */
const GitState = z.enum(['ready', 'no_repository', 'no_program', 'not_trusted', 'unreadable']);

/** What git says of a file; files without a mark are as in HEAD. */
export const GitMark = z.enum(['modified', 'added', 'untracked', 'ignored', 'conflicted']);
export type GitMark = z.infer<typeof GitMark>;

export const GitView = z
  .strictObject({
    state: GitState,
    /** Null where none is checked out. */
    branch: z.string().nullable(),
    /** Id of the commit; null before the first one. */
    head: z.string().nullable(),
    /** Drafts, and for owners every file that the tree lists. */
    marks: z.array(z.strictObject({ ref: z.string(), mark: GitMark })),
  })
  .meta({ id: 'GitView' });
export type GitView = z.infer<typeof GitView>;

/** A draft as HEAD has it: `absent` from it, or `no_text` (no UTF-8 text of at most 1 MiB). */
export const GitHeadText = z
  .strictObject({
    ref: z.string(),
    head: z.string().nullable(),
    state: z.enum(['text', 'absent', 'no_text']),
    /** As a check-out would write it. */
    text: z.string().nullable(),
  })
  .meta({ id: 'GitHeadText' });
export type GitHeadText = z.infer<typeof GitHeadText>;

const ROOT = ['exposure_unconfirmed', 'project_root_unavailable'];

export const getGit = studioRoute.get('get_git', {
  path: '/projects/{project_id}/git',
  summary: 'What git says of the files of the project',
  params: ProjectParams,
  responses: { 200: GitView },
  errors: ROOT,
  access: 'viewer',
});

export const readHeadText = studioRoute.get('read_head_text', {
  path: '/projects/{project_id}/git/head/{ref+}',
  summary: 'The text of a draft in the commit that is checked out',
  params: DraftParams,
  responses: { 200: GitHeadText },
  errors: [...ROOT, 'draft_not_found', 'git_unavailable'],
  access: 'viewer',
});
