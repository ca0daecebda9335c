import type { DraftSummary } from '../../contract/studio/drafts.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { listLiveOutputs } from '../analyses/analyses-repository.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readRevisions } from '../files/tree-files.ts';
import { listAssertions, listDraftRows, listLinks } from './drafts-repository.ts';

type Groups = ReadonlyMap<string, readonly string[]>;

function group(rows: readonly (readonly [key: string, value: string])[]): Groups {
  const groups = new Map<string, string[]>();
  for (const [key, value] of rows) {
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}

/** Registered drafts by ref (studio.md 6.4). */
export async function listDrafts(deps: StudioDeps, project: ProjectRow): Promise<DraftSummary[]> {
  await requireConfirmedRoot(deps.db, project);
  const rows = await listDraftRows(deps.db, project.id);
  const refs = rows.map((row) => row.ref);
  const revisions = await readRevisions(project.root, refs);
  const links = group(
    (await listLinks(deps.db, project.id)).map((row) => [row.ref, row.analysis_id]),
  );
  const outputs = group(
    (await listLiveOutputs(deps.db, project.id)).map((row) => [row.output_sha256, row.id]),
  );
  const asserted = group(
    (await listAssertions(deps.db, project.id)).map((row) => [row.ref, row.revision]),
  );
  const summaries = rows.map((draft): DraftSummary => {
    const revision = revisions.get(draft.ref) ?? null;
    const linked = links.get(draft.ref) ?? [];
    const live = revision === null ? [] : (outputs.get(revision) ?? []);
    const known = revision !== null && (asserted.get(draft.ref) ?? []).includes(revision);
    const mayAssert = revision !== null && draft.origin !== 'import' && linked.length === 0;
    return {
      ref: draft.ref,
      kind: draft.kind,
      capabilities: draft.capabilities,
      registered_at: draft.registered_at,
      revision,
      analysis_ids: [...new Set([...linked, ...live])].sort(),
      can_assert_not_applicable: mayAssert && !known,
      not_applicable_asserted: known,
    };
  });
  return summaries.sort((a, b) => compareCodePoints(a.ref, b.ref));
}
