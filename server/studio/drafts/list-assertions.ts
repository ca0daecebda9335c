import type { NotApplicableAssertion } from '../../contract/studio/assertions.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { isRootConfirmed } from '../exposure/exposure.ts';
import { readFile } from '../files/tree-files.ts';
import { requireRef } from './draft-files.ts';
import { listAssertionsOf } from './drafts-repository.ts';

/** Who asserted, and when, that a draft needs no analysis; an edit voids it, which shows (6.6). */
export async function listDraftAssertions(
  deps: StudioDeps,
  project: ProjectRow,
  wanted: string,
): Promise<NotApplicableAssertion[]> {
  const ref = requireRef(wanted);
  const rows = await listAssertionsOf(deps.db, project.id, ref);
  const readable = await isRootConfirmed(deps.db, project);
  const revision = readable ? (await readFile(project.root, ref))?.revision : undefined;
  return rows.map((row) => ({
    ref,
    revision: row.revision,
    by_display_name: row.display_name,
    at: row.asserted_at,
    standing: row.revision === revision,
  }));
}
