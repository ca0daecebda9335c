import { refuse } from '../../contract/studio/errors.ts';
import type { TrashEntry } from '../../contract/studio/tree.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { openDraft, requireRef, requireRoot, staleDraft } from '../drafts/draft-files.ts';
import {
  insertDraft,
  linkAnalyses,
  listLinkedAnalyses,
  removeDraft,
} from '../drafts/drafts-repository.ts';
import { refuseCaseTwin } from '../drafts/register-draft.ts';
import { beginTreeOperation } from '../drafts/tree-operations.ts';
import { endTreeOperation } from '../drafts/tree-operations-repository.ts';
import { writeTree } from '../drafts/write-tree.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import {
  dropUnusedTexts,
  packText,
  readKeptText,
  storeText,
} from '../files/kept-texts-repository.ts';
import { takeFile } from '../files/take-file.ts';
import { createFile } from '../files/tree-files.ts';
import { moveVersions } from '../history/versions-repository.ts';
import { emptyTrash, KEPT_MS, removeForGood } from './empty-trash.ts';
import {
  findTrashRow,
  insertTrashRow,
  listTrashRows,
  removeTrashRow,
  type ShownTrashRow,
} from './trash-repository.ts';

function toEntry(row: ShownTrashRow): TrashEntry {
  const { id, ref, revision, size, kind, deleted_at } = row;
  const ends_at = toTimestamp((parseTimestamp(deleted_at) ?? 0) + KEPT_MS);
  return { id, ref, revision, size, kind, deleted_at, deleted_by: row.deleter, ends_at };
}

/** Files that the studio did not write itself are an owner's to register, so also to take away and put back. */
function requireHand(member: Member, ref: string): void {
  if (!isGenerated(ref) && member.role !== 'owner') throw refuse('forbidden');
}

/**
 * Deletes a draft: its bytes go into the project's trash, its registration goes, its analyses stay
 * known. The file goes last and only with the bytes that were kept.
 */
export async function trashDraft(
  deps: StudioDeps,
  member: Member,
  input: { readonly ref: string; readonly expected_revision: string },
): Promise<TrashEntry> {
  const { project, principal } = member;
  const ref = requireRef(input.ref);
  return deps.locks.run(project.id, async () => {
    const { draft, content } = await openDraft(deps.db, project, ref);
    requireHand(member, ref);
    const { revision } = content;
    if (revision !== input.expected_revision) {
      throw staleDraft(ref, input.expected_revision, revision);
    }
    const kept = await packText(project.id, content);
    const id = deps.ids.hex();
    const operation = await beginTreeOperation(deps, deps.db, project.id, ref, revision);
    const keep = () =>
      inTransaction(deps.db, async (trx) => {
        await storeText(trx, kept);
        await insertTrashRow(trx, {
          id,
          project_id: project.id,
          ref,
          revision,
          mode: content.mode,
          kind: draft.kind,
          capabilities: draft.capabilities,
          origin: draft.origin,
          deleted_at: deps.timestamp(),
          deleted_by: principal.id,
        });
        await removeDraft(trx, project.id, ref);
        await recordAct(deps, trx, member, 'delete_draft', { ref, revision });
      });
    const gone = await writeTree(deps, () => takeFile(project.root, ref, revision, keep));
    await endTreeOperation(deps.db, operation);
    if (!gone) throw refuse('draft_stale', { details: { path: ref } });
    return toEntry(await requireEntry(deps, member, id));
  });
}

async function requireEntry(deps: StudioDeps, member: Member, id: string): Promise<ShownTrashRow> {
  const row = await findTrashRow(deps.db, member.project.id, id);
  if (row === undefined) throw refuse('trash_entry_not_found');
  return row;
}

/** What can be put back, newest first. */
export async function listTrash(deps: StudioDeps, member: Member): Promise<TrashEntry[]> {
  await emptyTrash(deps);
  return (await listTrashRows(deps.db, member.project.id)).map(toEntry);
}

/**
 * Puts a deleted draft back with its registration and its analyses, where it was or at `to`. A file
 * that stands there stays: 409 `draft_exists`.
 */
export async function restoreDraft(
  deps: StudioDeps,
  member: Member,
  id: string,
  to: string | undefined,
): Promise<{ ref: string; revision: string }> {
  const { project, principal } = member;
  return deps.locks.run(project.id, async () => {
    await requireConfirmedRoot(deps.db, project);
    await requireRoot(project);
    const entry = await requireEntry(deps, member, id);
    const { revision, kind, capabilities, origin } = entry;
    const ref = to === undefined ? entry.ref : requireRef(to);
    requireHand(member, entry.ref);
    requireHand(member, ref);
    await refuseCaseTwin(deps.db, project, ref);
    const bytes = await readKeptText(deps.db, project.id, revision);
    if (bytes === undefined) throw refuse('trash_entry_not_found');
    const operation = await beginTreeOperation(deps, deps.db, project.id, ref, revision);
    const made = await writeTree(deps, () => createFile(project.root, ref, bytes, entry.mode));
    if (!made) {
      await endTreeOperation(deps.db, operation);
      throw refuse('draft_exists', { details: { path: ref } });
    }
    const analyses = await listLinkedAnalyses(deps.db, project.id, entry.ref);
    await inTransaction(deps.db, async (trx) => {
      await endTreeOperation(trx, operation);
      const now = deps.timestamp();
      await insertDraft(trx, {
        project_id: project.id,
        ref,
        kind,
        capabilities,
        origin,
        registered_at: now,
        registered_by: principal.id,
        last_known_revision: revision,
      });
      await linkAnalyses(trx, project.id, ref, analyses, now);
      if (ref !== entry.ref) await moveVersions(trx, project.id, entry.ref, ref);
      await removeTrashRow(trx, id);
      await dropUnusedTexts(trx, project.id, [revision]);
      await recordAct(deps, trx, member, 'restore_draft', { ref, revision });
    });
    return { ref, revision };
  });
}

/** Removes a deleted draft for good. */
export async function purgeEntry(deps: StudioDeps, member: Member, id: string): Promise<void> {
  const entry = await requireEntry(deps, member, id);
  const { ref, revision } = entry;
  await inTransaction(deps.db, async (trx) => {
    await removeForGood(trx, entry);
    await recordAct(deps, trx, member, 'purge_draft', { ref, revision });
  });
}
