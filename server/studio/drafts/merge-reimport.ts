import type { MergedReimport } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import { saveText } from '../history/save-text.ts';
import { listAnswered } from './answered-analyses.ts';
import { deleteDraft } from './delete-draft.ts';
import { openDraft, requireRef, staleDraft } from './draft-files.ts';
import { linkAnalyses, listLinkedAnalyses, unlinkAnalyses } from './drafts-repository.ts';
import { sameRef } from './reassociate.ts';

export interface MergeInput {
  readonly ref: string;
  readonly expected_revision: string;
  readonly from: string;
  readonly from_revision: string;
  readonly text: string;
}

async function writeMerged(
  deps: StudioDeps,
  member: Member,
  input: MergeInput,
): Promise<MergedReimport> {
  const { project } = member;
  const { ref, from, text } = input;
  const mine = await openDraft(deps.db, project, ref);
  if (mine.content.revision !== input.expected_revision) {
    throw staleDraft(ref, input.expected_revision, mine.content.revision);
  }
  if (mine.draft.capabilities === 'read') {
    throw refuse('draft_read_only', { details: { path: ref } });
  }
  const theirs = await openDraft(deps.db, project, from);
  if (theirs.content.revision !== input.from_revision) {
    throw staleDraft(from, input.from_revision, theirs.content.revision);
  }
  if (!isGenerated(from)) throw refuse('draft_read_only', { details: { path: from } });
  const bytes = new TextEncoder().encode(text);
  const analyses = await listLinkedAnalyses(deps.db, project.id, from);
  const earlier = await listLinkedAnalyses(deps.db, project.id, ref);
  const answered = await listAnswered(deps, project.id, earlier, analyses, text);
  const expected = input.expected_revision;
  const saved = { draft: mine.draft, expected, bytes, cause: 'merge' } as const;
  const revision = await saveText(deps, member, saved, async (trx, made) => {
    await linkAnalyses(trx, project.id, ref, analyses, deps.timestamp());
    await unlinkAnalyses(trx, project.id, ref, answered);
    await recordAct(deps, trx, member, 'merge_reimport', {
      ref,
      from,
      revision: made,
      replaced: answered,
    });
  });
  return { ref, revision, analysis_ids: await listLinkedAnalyses(deps.db, project.id, ref) };
}

/**
 * Writes the text that an author merged from an edited draft and a second import of its source. The
 * analyses of the second import follow into the edited draft and take the place of those of the
 * first, except where one of these still asks for something that the text has. The draft that the
 * second import wrote goes to the trash. Neither draft may have changed meanwhile.
 */
export async function mergeReimport(
  deps: StudioDeps,
  member: Member,
  input: MergeInput,
): Promise<MergedReimport> {
  const ref = requireRef(input.ref);
  const from = requireRef(input.from);
  if (ref === from) throw sameRef();
  const merged = await deps.locks.run(member.project.id, () =>
    writeMerged(deps, member, { ...input, ref, from }),
  );
  await deleteDraft(deps, member, from, input.from_revision);
  return merged;
}
