import type { MergedReimport } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import { sha256 } from '../files/sha256.ts';
import { replaceFile } from '../files/tree-files.ts';
import { listAnswered } from './answered-analyses.ts';
import { deleteDraft } from './delete-draft.ts';
import { openDraft, requireRef, staleDraft } from './draft-files.ts';
import {
  linkAnalyses,
  listLinkedAnalyses,
  recordRevision,
  unlinkAnalyses,
} from './drafts-repository.ts';
import { sameRef } from './reassociate.ts';
import { writeTree } from './write-draft.ts';

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
  const revision = sha256(bytes);
  const analyses = await listLinkedAnalyses(deps.db, project.id, from);
  const earlier = await listLinkedAnalyses(deps.db, project.id, ref);
  const answered = await listAnswered(deps, project.id, earlier, analyses, text);
  await writeTree(deps, () => replaceFile(project.root, ref, bytes, mine.content.mode));
  await deps.db.transaction().execute(async (trx) => {
    await recordRevision(trx, mine.draft, revision);
    await linkAnalyses(trx, project.id, ref, analyses, deps.timestamp());
    await unlinkAnalyses(trx, project.id, ref, answered);
    await recordAct(deps, trx, member, 'merge_reimport', {
      ref,
      from,
      revision,
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
