import { refuse } from '../../contract/studio/errors.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { saveText } from '../history/save-text.ts';
import { openDraft, staleDraft } from './draft-files.ts';

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
    const { draft, content } = await openDraft(deps.db, project, ref);
    if (content.revision !== input.expected_revision) {
      throw staleDraft(ref, input.expected_revision, content.revision);
    }
    if (draft.capabilities === 'read') throw refuse('draft_read_only', { details: { path: ref } });
    const bytes = encoder.encode(input.text);
    const saved = { draft, before: content, bytes, cause: 'save' } as const;
    const revision = await saveText(deps, member, saved, (trx, made) =>
      recordAct(deps, trx, member, 'save_draft', { ref, revision: made }),
    );
    return { revision };
  });
}
