import type { DraftManifestRow, DraftVersionRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readTreeFile, staleDraft } from '../drafts/draft-files.ts';
import { recordRevision } from '../drafts/drafts-repository.ts';
import { writeTree } from '../drafts/write-tree.ts';
import { dropUnusedTexts, packText, storeText } from '../files/kept-texts-repository.ts';
import { sha256 } from '../files/sha256.ts';
import { type FileContent, replaceFile } from '../files/tree-files.ts';
import type { Handle } from '../handle.ts';
import {
  insertVersion,
  latestRevision,
  listSurplus,
  removeVersions,
} from './versions-repository.ts';

/** So many versions of a draft are kept beside the named ones. */
const MOST_VERSIONS = 200;
/** Packed bytes of a draft's versions; beyond them the oldest without a name go. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Lets go of the oldest versions without a name beyond the last 200 and beyond 32 MiB. */
async function letGo(trx: Handle, projectId: string, ref: string): Promise<void> {
  const limits = { most: MOST_VERSIONS, mostBytes: MOST_BYTES };
  const gone = await listSurplus(trx, projectId, ref, limits);
  await removeVersions(
    trx,
    gone.map(({ id }) => id),
  );
  await dropUnusedTexts(
    trx,
    projectId,
    gone.map(({ revision }) => revision),
  );
}

export interface SavedText {
  readonly draft: DraftManifestRow;
  /** The revision that the caller saw. */
  readonly expected: string;
  readonly bytes: Uint8Array;
  readonly cause: 'save' | 'merge' | 'restore';
}

/** Keeps bytes that something else wrote. */
async function keepFound(
  deps: StudioDeps,
  { project_id, ref }: Pick<DraftVersionRow, 'project_id' | 'ref'>,
  content: FileContent,
): Promise<void> {
  const found = await packText(project_id, content);
  const { revision } = content;
  await inTransaction(deps.db, async (trx) => {
    await storeText(trx, found);
    await insertVersion(trx, {
      project_id,
      ref,
      revision,
      cause: 'found',
      saved_at: deps.timestamp(),
      saved_by: null,
      name: null,
      bytes: found.packed.length,
    });
  });
}

/** The file as the caller saw it. @throws Refusal `draft_stale`, `draft_not_found` */
async function requireExpected(
  project: ProjectRow,
  ref: string,
  expected: string,
): Promise<FileContent> {
  const now = await readTreeFile(project, ref);
  if (now.revision !== expected) throw staleDraft(ref, expected, now.revision);
  return now;
}

/**
 * Replaces the file; what somebody wrote meanwhile stays, or is kept. Answers what it held.
 * @throws Refusal `draft_stale`, `draft_not_found`
 */
async function replace(
  deps: StudioDeps,
  { project }: Member,
  { draft, expected, bytes }: SavedText,
): Promise<FileContent> {
  const { ref } = draft;
  const replaced = await writeTree(deps, () => replaceFile(project.root, ref, expected, bytes));
  if (replaced.state === 'changed') {
    throw staleDraft(ref, expected, (await readTreeFile(project, ref)).revision);
  }
  if (replaced.late !== undefined) {
    await keepFound(deps, { project_id: project.id, ref }, replaced.late);
  }
  return replaced.before;
}

/**
 * Replaces the file of a draft and keeps its text as a version; bytes that somebody else had put
 * there become a version before. `also` writes more in the same transaction. When the store does
 * not take it, the file gets its old bytes again. Answers the revision.
 */
export async function saveText(
  deps: StudioDeps,
  member: Member,
  saved: SavedText,
  also: (trx: Handle, revision: string) => Promise<void>,
): Promise<string> {
  const { draft, expected, bytes, cause } = saved;
  const { project, principal } = member;
  const { ref } = draft;
  const after = { bytes: Buffer.from(bytes), revision: sha256(bytes) };
  const { revision } = after;
  const place = { project_id: project.id, ref, name: null };
  if ((await latestRevision(deps.db, project.id, ref)) !== expected) {
    await keepFound(deps, place, await requireExpected(project, ref, expected));
  }
  const [before, kept] = await Promise.all([
    replace(deps, member, saved),
    packText(project.id, after),
  ]);
  const own: Omit<DraftVersionRow, 'id'> = {
    ...place,
    revision,
    cause,
    saved_at: deps.timestamp(),
    bytes: kept.packed.length,
    saved_by: principal.id,
  };
  try {
    await inTransaction(deps.db, async (trx) => {
      if (revision !== expected) {
        await storeText(trx, kept);
        await insertVersion(trx, own);
        await letGo(trx, project.id, ref);
      }
      await recordRevision(trx, draft, revision);
      await also(trx, revision);
    });
  } catch (error) {
    await writeTree(deps, () => replaceFile(project.root, ref, revision, before.bytes));
    throw error;
  }
  return revision;
}
