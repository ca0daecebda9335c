import { refuse } from '../../contract/studio/errors.ts';
import type { DraftRef } from '../../contract/studio/fields.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readTreeFile, requireDraft, requireRef } from './draft-files.ts';
import { insertAssertion, isAsserted, listLinkedAnalyses } from './drafts-repository.ts';

/** Records that a draft at this revision needs no source analysis (studio.md 6.6). */
export async function assertNotApplicable(
  deps: StudioDeps,
  member: Member,
  input: DraftRef,
): Promise<void> {
  const { project, principal } = member;
  const ref = requireRef(input.path);
  await deps.locks.run(project.id, async () => {
    await requireConfirmedRoot(deps.db, project);
    const draft = await requireDraft(deps.db, project, ref);
    const linked = await listLinkedAnalyses(deps.db, project.id, ref);
    if (draft.origin === 'import' || linked.length > 0) throw refuse('assertion_refused');
    const { revision } = await readTreeFile(project, ref);
    if (revision !== input.revision) {
      throw refuse('draft_stale', { details: { expected_revision: input.revision, revision } });
    }
    if (await isAsserted(deps.db, project.id, ref, revision)) return;
    await inTransaction(deps.db, async (trx) => {
      await insertAssertion(trx, {
        project_id: project.id,
        ref,
        revision,
        principal_id: principal.id,
        asserted_at: deps.timestamp(),
      });
      await recordAct(deps, trx, member, 'assert_not_applicable', { ref, revision });
    });
  });
}
