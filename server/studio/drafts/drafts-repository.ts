import type {
  DraftManifestRow,
  ManifestAnalysisRow,
  NotApplicableAssertionRow,
} from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A registered draft. */
export async function findDraft(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<DraftManifestRow | undefined> {
  return handle
    .selectFrom('draft_manifest')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .executeTakeFirst();
}

/** The registered ones of these drafts, by their refs. */
export async function findDrafts(
  handle: Handle,
  projectId: string,
  refs: readonly string[],
): Promise<Map<string, DraftManifestRow>> {
  const rows = await handle
    .selectFrom('draft_manifest')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('ref', 'in', [...new Set(refs)])
    .execute();
  return new Map(rows.map((row) => [row.ref, row]));
}

/** Every registered draft of a project. */
export async function listDraftRows(
  handle: Handle,
  projectId: string,
): Promise<DraftManifestRow[]> {
  return handle
    .selectFrom('draft_manifest')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('ref')
    .execute();
}

/** Registers a draft; one that is registered already keeps its row. */
export async function insertDraft(handle: Handle, row: DraftManifestRow): Promise<void> {
  await handle
    .insertInto('draft_manifest')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'ref']).doNothing())
    .execute();
}

/** Forgets a registration; false when there was none. */
export async function removeDraft(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<boolean> {
  const result = await handle
    .deleteFrom('draft_manifest')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Remembers the revision that was last seen or written. */
export async function recordRevision(
  handle: Handle,
  draft: DraftManifestRow,
  revision: string,
): Promise<void> {
  if (draft.last_known_revision === revision) return;
  await handle
    .updateTable('draft_manifest')
    .set({ last_known_revision: revision })
    .where('project_id', '=', draft.project_id)
    .where('ref', '=', draft.ref)
    .execute();
}

/** Ids of the analyses linked to a ref, also of a dropped registration. */
export async function listLinkedAnalyses(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<string[]> {
  const rows = await handle
    .selectFrom('manifest_analysis')
    .select('analysis_id')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .orderBy('analysis_id')
    .execute();
  return rows.map((row) => row.analysis_id);
}

/** Links analyses to a ref; links that exist stay. */
export async function linkAnalyses(
  handle: Handle,
  projectId: string,
  ref: string,
  analysisIds: readonly string[],
  linkedAt: string,
): Promise<void> {
  if (analysisIds.length === 0) return;
  const rows = analysisIds.map((analysis_id) => ({
    project_id: projectId,
    ref,
    analysis_id,
    linked_at: linkedAt,
  }));
  await handle
    .insertInto('manifest_analysis')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['project_id', 'ref', 'analysis_id']).doNothing())
    .execute();
}

/** Takes links of a ref away; the analyses themselves stay. */
export async function unlinkAnalyses(
  handle: Handle,
  projectId: string,
  ref: string,
  analysisIds: readonly string[],
): Promise<void> {
  if (analysisIds.length === 0) return;
  await handle
    .deleteFrom('manifest_analysis')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('analysis_id', 'in', analysisIds)
    .execute();
}

/** True when the draft was asserted to need no analysis at exactly this revision. */
export async function isAsserted(
  handle: Handle,
  projectId: string,
  ref: string,
  revision: string,
): Promise<boolean> {
  const row = await handle
    .selectFrom('not_applicable_assertion')
    .select('ref')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ref and revision of every assertion in a project that a draft needs no analysis. */
export async function listAssertions(
  handle: Handle,
  projectId: string,
): Promise<Pick<NotApplicableAssertionRow, 'ref' | 'revision'>[]> {
  return handle
    .selectFrom('not_applicable_assertion')
    .select(['ref', 'revision'])
    .where('project_id', '=', projectId)
    .execute();
}

/** Assertions about a draft with who made them, newest first. */
export async function listAssertionsOf(handle: Handle, projectId: string, ref: string) {
  return handle
    .selectFrom('not_applicable_assertion')
    .leftJoin('principal', 'principal.id', 'not_applicable_assertion.principal_id')
    .select(['revision', 'asserted_at', 'principal.display_name'])
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .orderBy('asserted_at', 'desc')
    .execute();
}

/** Asserts that a draft needs no analysis at a revision. */
export async function insertAssertion(
  handle: Handle,
  row: NotApplicableAssertionRow,
): Promise<void> {
  await handle.insertInto('not_applicable_assertion').values(row).execute();
}

/** Ref and analysis of every link in a project. */
export async function listLinks(
  handle: Handle,
  projectId: string,
): Promise<Pick<ManifestAnalysisRow, 'ref' | 'analysis_id'>[]> {
  return handle
    .selectFrom('manifest_analysis')
    .select(['ref', 'analysis_id'])
    .where('project_id', '=', projectId)
    .execute();
}
