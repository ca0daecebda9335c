import type { MovedCandidates } from '../../contract/studio/tree.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { requireDraft, requireRef } from '../drafts/draft-files.ts';
import { readRevisions } from '../files/tree-files.ts';
import { readTree } from './read-tree.ts';

/** Files that a draft whose file is missing may have become: those with its bytes first. */
export async function movedCandidates(
  deps: StudioDeps,
  project: ProjectRow,
  path: string,
): Promise<MovedCandidates> {
  const draft = await requireDraft(deps.db, project, requireRef(path));
  const { entries } = await readTree(deps, project);
  const free = entries.filter((entry) => !entry.registered && !entry.generated);
  const refs = free.map(({ ref }) => ref);
  const revisions = await readRevisions(project.root, refs);
  const candidates = refs.map((ref) => ({
    ref,
    same_text: revisions.get(ref) === draft.last_known_revision,
  }));
  candidates.sort((a, b) => Number(b.same_text) - Number(a.same_text));
  return { revision: draft.last_known_revision, candidates };
}
