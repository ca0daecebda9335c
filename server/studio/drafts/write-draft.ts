import { refuse } from '../../contract/studio/errors.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { sha256 } from '../files/sha256.ts';
import { replaceFile } from '../files/tree-files.ts';
import { openDraft, staleDraft } from './draft-files.ts';
import { recordRevision } from './drafts-repository.ts';

const encoder = new TextEncoder();

/** Does a write of the tree; a failing disk becomes a refusal that says so. */
export async function writeTree<T>(deps: StudioDeps, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.log.error({ code: systemCode(error) ?? 'unknown' }, 'a draft could not be written');
    const message =
      'The file could not be written; it is as it was. Check the disk and its rights.';
    throw refuse('draft_write_failed', { message, cause: error });
  }
}

/** Saves a draft at the revision that the caller saw (studio.md 6.4). */
export async function writeDraft(
  deps: StudioDeps,
  member: Member,
  ref: string,
  input: { text: string; expected_revision: string },
): Promise<{ revision: string }> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    const { draft, content } = await openDraft(deps.db, project, ref);
    if (content.revision !== input.expected_revision) {
      throw staleDraft(ref, input.expected_revision, content.revision);
    }
    if (draft.capabilities === 'read') throw refuse('draft_read_only', { details: { path: ref } });
    const bytes = encoder.encode(input.text);
    const revision = sha256(bytes);
    await writeTree(deps, () => replaceFile(project.root, ref, bytes, content.mode));
    await deps.db.transaction().execute(async (trx) => {
      await recordRevision(trx, draft, revision);
      await recordAct(deps, trx, member, 'save_draft', { ref, revision });
    });
    return { revision };
  });
}
