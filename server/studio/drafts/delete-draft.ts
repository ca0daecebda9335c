import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { refuse } from '../../contract/studio/errors.ts';
import { replaceFile } from '../../files/durable-write.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import { removeFile } from '../files/tree-files.ts';
import { openDraft, staleDraft } from './draft-files.ts';
import { removeDraft } from './drafts-repository.ts';
import { beginTreeOperation } from './tree-operations.ts';
import { endTreeOperation } from './tree-operations-repository.ts';
import { writeTree } from './write-draft.ts';

/**
 * Deletes a draft of the generated namespace (studio.md 18). Its bytes are kept in the studio's own
 * trash folder, named by their hash, since a service has no desktop trash to put them in.
 */
export async function deleteDraft(
  deps: StudioDeps,
  member: Member,
  ref: string,
  expected: string,
): Promise<void> {
  const { project } = member;
  await deps.locks.run(project.id, async () => {
    const { content } = await openDraft(deps.db, project, ref);
    if (!isGenerated(ref)) throw refuse('draft_read_only', { details: { path: ref } });
    if (content.revision !== expected) throw staleDraft(ref, expected, content.revision);
    const trash = path.join(deps.stateDir, 'trash', project.id);
    const kept = `${content.revision.slice(0, 12)}-${path.posix.basename(ref)}`;
    await writeTree(deps, async () => {
      await mkdir(trash, { recursive: true, mode: 0o700 });
      await replaceFile(path.join(trash, kept), content.bytes, { mode: 0o600 });
    });
    const operation = await deps.db.transaction().execute(async (trx) => {
      await removeDraft(trx, project.id, ref);
      await recordAct(deps, trx, member, 'delete_draft', { ref, revision: content.revision });
      return beginTreeOperation(deps, trx, project.id, ref, content.revision);
    });
    await writeTree(deps, () => removeFile(project.root, ref));
    await endTreeOperation(deps.db, operation);
  });
}
