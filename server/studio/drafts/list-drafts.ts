import type { DraftSummary } from '../../contract/studio/drafts.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readRevisions } from '../files/tree-files.ts';
import type { Handle } from '../handle.ts';
import { listDraftRows } from './drafts-repository.ts';

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

/** Ref → linked analyses. */
async function linksOf(handle: Handle, projectId: string): Promise<Groups> {
  const rows = await handle
    .selectFrom('manifest_analysis')
    .select(['ref', 'analysis_id'])
    .where('project_id', '=', projectId)
    .execute();
  return group(rows.map((row) => [row.ref, row.analysis_id] as const));
}

/** Output → live analyses of exactly those bytes. */
async function liveOutputs(handle: Handle, projectId: string): Promise<Groups> {
  const rows = await handle
    .selectFrom('analysis')
    .select(['output_sha256', 'id'])
    .where('project_id', '=', projectId)
    .where('superseded_by', 'is', null)
    .execute();
  return group(rows.map((row) => [row.output_sha256, row.id] as const));
}

/** Ref → revisions at which the draft was asserted to need no analysis. */
async function assertions(handle: Handle, projectId: string): Promise<Groups> {
  const rows = await handle
    .selectFrom('not_applicable_assertion')
    .select(['ref', 'revision'])
    .where('project_id', '=', projectId)
    .execute();
  return group(rows.map((row) => [row.ref, row.revision] as const));
}

/** Registered drafts by ref (studio.md 6.4). */
export async function listDrafts(deps: StudioDeps, project: ProjectRow): Promise<DraftSummary[]> {
  await requireConfirmedRoot(deps.db, project);
  const rows = await listDraftRows(deps.db, project.id);
  const refs = rows.map((row) => row.ref);
  const revisions = await readRevisions(project.root, refs);
  const links = await linksOf(deps.db, project.id);
  const outputs = await liveOutputs(deps.db, project.id);
  const asserted = await assertions(deps.db, project.id);
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
