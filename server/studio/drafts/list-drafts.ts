import type { DraftSummary } from '../../contract/studio/drafts.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import { listApplicable } from '../analyses/analyses-repository.ts';
import type { Handle, StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readFile } from '../files/tree-files.ts';
import { isAsserted, listDraftRows, listLinkedAnalyses } from './drafts-repository.ts';

async function summarize(
  handle: Handle,
  project: ProjectRow,
  draft: DraftManifestRow,
): Promise<DraftSummary> {
  const revision = (await readFile(project.root, draft.ref))?.revision ?? null;
  const linked = await listLinkedAnalyses(handle, project.id, draft.ref);
  const analyses =
    revision === null ? linked : await listApplicable(handle, project.id, draft.ref, revision);
  const asserted = revision !== null && (await isAsserted(handle, project.id, draft.ref, revision));
  const mayAssert = revision !== null && draft.origin !== 'import' && linked.length === 0;
  return {
    ref: draft.ref,
    kind: draft.kind,
    capabilities: draft.capabilities,
    registered_at: draft.registered_at,
    revision,
    analysis_ids: analyses,
    can_assert_not_applicable: mayAssert && !asserted,
    not_applicable_asserted: asserted,
  };
}

/** Registered drafts by ref (studio.md 6.4). */
export async function listDrafts(deps: StudioDeps, project: ProjectRow): Promise<DraftSummary[]> {
  await requireConfirmedRoot(deps.db, project);
  const rows = await listDraftRows(deps.db, project.id);
  const summaries: DraftSummary[] = [];
  for (const row of rows) summaries.push(await summarize(deps.db, project, row));
  return summaries.sort((a, b) => compareCodePoints(a.ref, b.ref));
}
