import type { DraftReassociationView } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { takeFile } from '../files/take-file.ts';
import { createFile } from '../files/tree-files.ts';
import { openDraft, requireRef, staleDraft } from './draft-files.ts';
import { findDraft, listLinkedAnalyses, removeDraft } from './drafts-repository.ts';
import { carryOver, requireSameRegistration, sameRef } from './reassociate.ts';
import { refuseCaseTwin } from './register-draft.ts';
import { beginTreeOperation } from './tree-operations.ts';
import { endTreeOperation } from './tree-operations-repository.ts';
import { writeTree } from './write-tree.ts';

export interface MoveInput {
  readonly old_ref: string;
  readonly new_ref: string;
  readonly expected_revision: string;
}

/**
 * Renames a draft on disk and lets registration and analyses follow (studio.md 18). The new file is
 * whole before the old one goes, so an interruption leaves at least one of them.
 */
export async function moveDraft(
  deps: StudioDeps,
  member: Member,
  input: MoveInput,
): Promise<DraftReassociationView> {
  const { project, principal } = member;
  const oldRef = requireRef(input.old_ref);
  const newRef = requireRef(input.new_ref);
  if (oldRef === newRef) throw sameRef();
  return deps.locks.run(project.id, async () => {
    const { draft, content } = await openDraft(deps.db, project, oldRef);
    if (content.revision !== input.expected_revision) {
      throw staleDraft(oldRef, input.expected_revision, content.revision);
    }
    if (draft.capabilities === 'read') {
      throw refuse('draft_read_only', { details: { path: oldRef } });
    }
    requireSameRegistration(newRef, draft, await findDraft(deps.db, project.id, newRef));
    await refuseCaseTwin(deps.db, project, newRef);
    const { revision } = content;
    const coming = await beginTreeOperation(deps, deps.db, project.id, newRef, revision);
    const created = await writeTree(deps, () => createFile(project.root, newRef, content.bytes));
    if (!created) {
      await endTreeOperation(deps.db, coming);
      throw refuse('draft_exists', { details: { path: newRef } });
    }
    const analyses = await listLinkedAnalyses(deps.db, project.id, oldRef);
    const going = await inTransaction(deps.db, async (trx) => {
      await endTreeOperation(trx, coming);
      const place = { ref: newRef, revision, registered_by: principal.id };
      await carryOver(deps, trx, { draft, analyses }, place);
      await removeDraft(trx, project.id, oldRef);
      await recordAct(deps, trx, member, 'move_draft', { old_ref: oldRef, new_ref: newRef });
      return beginTreeOperation(deps, trx, project.id, oldRef, revision);
    });
    await writeTree(deps, () => takeFile(project.root, oldRef, revision, async () => undefined));
    await endTreeOperation(deps.db, going);
    const carried = await listLinkedAnalyses(deps.db, project.id, newRef);
    return { analysis_ids: carried, new_ref: newRef, old_ref: oldRef };
  });
}
