import type { AnalysisRow } from '../../store/studio-tables.ts';
import { listLinkedAnalyses } from '../drafts/drafts-repository.ts';
import type { Handle } from '../handle.ts';
import { electLineage } from './lineage.ts';

/** An analysis without its sealed detail. */
export type AnalysisHead = Omit<AnalysisRow, 'payload'>;

const HEAD = [
  'id',
  'project_id',
  'source',
  'source_sha256',
  'importer',
  'importer_version',
  'analyzer_version',
  'output_sha256',
  'repair_generation',
  'state',
  'superseded_by',
  'blocking_gap_ids',
  'manual_gap_ids',
  'created_at',
  'created_by',
] as const;

/** What makes an analysis the same one (studio.md 8.2). */
export type AnalysisIdentity = Pick<
  AnalysisRow,
  | 'project_id'
  | 'source_sha256'
  | 'importer'
  | 'importer_version'
  | 'analyzer_version'
  | 'output_sha256'
>;

/** The four members of a lineage key (studio.md 15). */
export type LineageKey = Pick<
  AnalysisRow,
  'project_id' | 'source_sha256' | 'importer' | 'output_sha256'
>;

/** An analysis of a project, active or not. */
export async function findAnalysis(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<AnalysisRow | undefined> {
  return handle
    .selectFrom('analysis')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Heads of analyses by id; ids that are not of the project are left out. */
export async function listAnalysisHeads(
  handle: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<AnalysisHead[]> {
  if (ids.length === 0) return [];
  return handle
    .selectFrom('analysis')
    .select(HEAD)
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

/** Ids of the live (not superseded) analyses whose output is exactly these bytes, ascending. */
export async function listLiveByOutput(
  handle: Handle,
  projectId: string,
  outputSha256: string,
): Promise<string[]> {
  const rows = await handle
    .selectFrom('analysis')
    .select('id')
    .where('project_id', '=', projectId)
    .where('output_sha256', '=', outputSha256)
    .where('superseded_by', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Analyses that apply to a draft at a revision: linked to the ref, or live for those bytes (7.2). */
export async function listApplicable(
  handle: Handle,
  projectId: string,
  ref: string,
  revision: string,
): Promise<string[]> {
  const linked = await listLinkedAnalyses(handle, projectId, ref);
  const live = await listLiveByOutput(handle, projectId, revision);
  return [...new Set([...linked, ...live])].sort();
}

/** Refs that an analysis is linked to, ascending. */
export async function listRefsOf(handle: Handle, analysisId: string): Promise<string[]> {
  const rows = await handle
    .selectFrom('manifest_analysis')
    .select('ref')
    .where('analysis_id', '=', analysisId)
    .orderBy('ref')
    .execute();
  return rows.map((row) => row.ref);
}

/** The active analysis of an identity and the highest repair generation of it, whatever its state. */
export async function findByIdentity(
  handle: Handle,
  identity: AnalysisIdentity,
): Promise<{ active: string | undefined; generation: number }> {
  const rows = await handle
    .selectFrom('analysis')
    .select(['id', 'state', 'repair_generation'])
    .where('project_id', '=', identity.project_id)
    .where('source_sha256', '=', identity.source_sha256)
    .where('importer', '=', identity.importer)
    .where('importer_version', '=', identity.importer_version)
    .where('analyzer_version', '=', identity.analyzer_version)
    .where('output_sha256', '=', identity.output_sha256)
    .orderBy('repair_generation', 'desc')
    .execute();
  return {
    active: rows.find((row) => row.state === 'active')?.id,
    generation: rows[0]?.repair_generation ?? 0,
  };
}

/** Members of a lineage. */
async function listLineage(handle: Handle, key: LineageKey): Promise<AnalysisHead[]> {
  return handle
    .selectFrom('analysis')
    .select(HEAD)
    .where('project_id', '=', key.project_id)
    .where('source_sha256', '=', key.source_sha256)
    .where('importer', '=', key.importer)
    .where('output_sha256', '=', key.output_sha256)
    .execute();
}

/** Elects the lineage's head again and marks the others as superseded by it. */
async function updateLineage(handle: Handle, key: LineageKey): Promise<void> {
  const members = await listLineage(handle, key);
  const { elected } = electLineage(members);
  for (const member of members) {
    const supersededBy = elected === null || member.id === elected ? null : elected;
    if (member.superseded_by === supersededBy) continue;
    await handle
      .updateTable('analysis')
      .set({ superseded_by: supersededBy })
      .where('id', '=', member.id)
      .execute();
  }
}

/** Adds an analysis and elects the head of its lineage. */
export async function insertAnalysis(handle: Handle, row: AnalysisRow): Promise<void> {
  await handle.insertInto('analysis').values(row).execute();
  await updateLineage(handle, row);
}

/** An analysis is believed no more; its lineage elects another head. */
export async function quarantineAnalysis(handle: Handle, row: AnalysisRow): Promise<void> {
  await handle
    .updateTable('analysis')
    .set({ state: 'quarantined' })
    .where('id', '=', row.id)
    .execute();
  await updateLineage(handle, row);
}

/** Output and id of every live analysis of a project. */
export async function listLiveOutputs(
  handle: Handle,
  projectId: string,
): Promise<Pick<AnalysisRow, 'output_sha256' | 'id'>[]> {
  return handle
    .selectFrom('analysis')
    .select(['output_sha256', 'id'])
    .where('project_id', '=', projectId)
    .where('superseded_by', 'is', null)
    .execute();
}
