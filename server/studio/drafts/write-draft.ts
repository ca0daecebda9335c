import { refuse } from '../../contract/studio/errors.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { saveText } from '../history/save-text.ts';
import { readTreeFile, requireDraft, staleDraft } from './draft-files.ts';

const encoder = new TextEncoder();

/** Saves a draft at the revision that the caller saw (studio.md 6.4). */
export async function writeDraft(
  deps: StudioDeps,
  member: Member,
  ref: string,
  input: { text: string; expected_revision: string },
): Promise<{ revision: string }> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    const { expected_revision: expected } = input;
    await requireConfirmedRoot(deps.db, project);
    const draft = await requireDraft(deps.db, project, ref);
    if (draft.capabilities === 'read') {
      const { revision } = await readTreeFile(project, ref);
      if (revision !== expected) throw staleDraft(ref, expected, revision);
      throw refuse('draft_read_only', { details: { path: ref } });
    }
    const saved = { draft, expected, bytes: encoder.encode(input.text), cause: 'save' } as const;
    const revision = await saveText(deps, member, saved, (trx, made) =>
      recordAct(deps, trx, member, 'save_draft', { ref, revision: made }),
    );
    return { revision };
  });
}
