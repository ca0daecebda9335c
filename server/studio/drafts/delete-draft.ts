import { refuse } from '../../contract/studio/errors.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import { trashDraft } from '../tree/trash.ts';
import { openDraft } from './draft-files.ts';

/** Deletes a draft of the generated namespace (studio.md 18); the project's trash keeps it for 30 days. */
export async function deleteDraft(
  deps: StudioDeps,
  member: Member,
  ref: string,
  expected: string,
): Promise<void> {
  await openDraft(deps.db, member.project, ref);
  if (!isGenerated(ref)) throw refuse('draft_read_only', { details: { path: ref } });
  await trashDraft(deps, member, { ref, expected_revision: expected });
}
