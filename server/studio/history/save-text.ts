import type { DraftManifestRow, DraftVersionRow } from '../../store/studio-tables.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
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
  /** What the file holds now. */
  readonly before: FileContent;
  readonly bytes: Uint8Array;
  readonly cause: 'save' | 'merge' | 'restore';
}

/**
 * Replaces the file of a draft and keeps its text as a version; bytes that somebody else had put
 * there become a version before. `also` writes more in the same transaction. Answers the revision.
 */
export async function saveText(
  deps: StudioDeps,
  member: Member,
  { draft, before, bytes, cause }: SavedText,
  also: (trx: Handle, revision: string) => Promise<void>,
): Promise<string> {
  const { project, principal } = member;
  const { ref } = draft;
  const after = { bytes: Buffer.from(bytes), revision: sha256(bytes) };
  const { revision } = after;
  const latest = await latestRevision(deps.db, project.id, ref);
  const isUnknown = latest !== before.revision;
  const [found, kept] = await Promise.all([
    isUnknown ? packText(project.id, before) : undefined,
    packText(project.id, after),
    writeTree(deps, () => replaceFile(project.root, ref, bytes, before.mode)),
  ]);
  const place = { project_id: project.id, ref, name: null };
  const own: Omit<DraftVersionRow, 'id'> = {
    ...place,
    revision,
    cause,
    saved_at: deps.timestamp(),
    bytes: kept.packed.length,
    saved_by: principal.id,
  };
  await deps.db.transaction().execute(async (trx) => {
    if (found !== undefined) {
      await storeText(trx, found);
      const theirs = { revision: before.revision, cause: 'found', saved_by: null } as const;
      const { saved_at } = own;
      await insertVersion(trx, { ...place, ...theirs, saved_at, bytes: found.packed.length });
    }
    if (revision !== before.revision) {
      await storeText(trx, kept);
      await insertVersion(trx, own);
      await letGo(trx, project.id, ref);
    }
    await recordRevision(trx, draft, revision);
    await also(trx, revision);
  });
  return revision;
}
