import type { GapRef } from '../../contract/studio/fields.ts';
import type {
  ArtifactAttestationRow,
  ArtifactComponentAnalysisRow,
  ArtifactComponentRow,
  ArtifactUnresolvedGapRow,
  AuthoredArtifactRow,
} from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** An artifact of a project, deleted ones too. */
export async function findArtifact(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<AuthoredArtifactRow | undefined> {
  return handle
    .selectFrom('authored_artifact')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Live artifacts, newest first. */
export async function listLiveArtifacts(
  handle: Handle,
  projectId: string,
): Promise<AuthoredArtifactRow[]> {
  return handle
    .selectFrom('authored_artifact')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Base, then overlays in their order. */
export async function listComponents(
  handle: Handle,
  artifactId: string,
): Promise<ArtifactComponentRow[]> {
  return handle
    .selectFrom('artifact_component')
    .selectAll()
    .where('artifact_id', '=', artifactId)
    .orderBy('position')
    .execute();
}

/** Position → ids of the analyses frozen for that component, ascending. */
export async function listComponentAnalyses(
  handle: Handle,
  artifactId: string,
): Promise<Map<number, string[]>> {
  const rows = await handle
    .selectFrom('artifact_component_analysis')
    .select(['position', 'analysis_id'])
    .where('artifact_id', '=', artifactId)
    .orderBy('position')
    .orderBy('analysis_id')
    .execute();
  const found = new Map<number, string[]>();
  for (const row of rows) {
    found.set(row.position, [...(found.get(row.position) ?? []), row.analysis_id]);
  }
  return found;
}

/** Ids of all analyses frozen for an artifact, ascending. */
export async function listInheritedAnalyses(handle: Handle, artifactId: string): Promise<string[]> {
  const byComponent = await listComponentAnalyses(handle, artifactId);
  return [...new Set([...byComponent.values()].flat())].sort();
}

/** Adds an artifact, without its parts. */
export async function insertArtifact(handle: Handle, row: AuthoredArtifactRow): Promise<void> {
  await handle.insertInto('authored_artifact').values(row).execute();
}

/** Adds a component with the analyses that are frozen for it. */
export async function insertComponent(
  handle: Handle,
  row: ArtifactComponentRow,
  analysisIds: readonly string[],
): Promise<void> {
  await handle.insertInto('artifact_component').values(row).execute();
  const { artifact_id, position } = row;
  const rows = analysisIds.map(
    (analysis_id): ArtifactComponentAnalysisRow => ({ artifact_id, position, analysis_id }),
  );
  if (rows.length > 0) {
    await handle.insertInto('artifact_component_analysis').values(rows).execute();
  }
}

/** Deletes an artifact softly. */
export async function markDeleted(handle: Handle, id: string, now: string): Promise<void> {
  await handle
    .updateTable('authored_artifact')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .execute();
}

/** Blocking gaps that hold an artifact back, ascending by analysis and gap. */
export async function listUnresolved(handle: Handle, artifactId: string): Promise<GapRef[]> {
  return handle
    .selectFrom('artifact_unresolved_gap')
    .select(['analysis_id', 'gap_id'])
    .where('artifact_id', '=', artifactId)
    .orderBy('analysis_id')
    .orderBy('gap_id')
    .execute();
}

/** Adds blocking gaps; those that are there stay. */
export async function insertUnresolved(
  handle: Handle,
  rows: readonly ArtifactUnresolvedGapRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await handle
    .insertInto('artifact_unresolved_gap')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Attestations that an artifact relies on. */
export async function listAttestations(
  handle: Handle,
  artifactId: string,
): Promise<ArtifactAttestationRow[]> {
  return handle
    .selectFrom('artifact_attestation')
    .selectAll()
    .where('artifact_id', '=', artifactId)
    .execute();
}

/** Ids of the artifacts that rely on an attestation. */
export async function listAttestedBy(
  handle: Handle,
  { analysis_id, gap_id, revision }: Omit<ArtifactAttestationRow, 'artifact_id'>,
): Promise<string[]> {
  const rows = await handle
    .selectFrom('artifact_attestation')
    .select('artifact_id')
    .where('analysis_id', '=', analysis_id)
    .where('gap_id', '=', gap_id)
    .where('revision', '=', revision)
    .execute();
  return rows.map((row) => row.artifact_id);
}

/** Adds an attestation that an artifact relies on; one that is there stays. */
export async function insertAttestation(
  handle: Handle,
  row: ArtifactAttestationRow,
): Promise<void> {
  await handle
    .insertInto('artifact_attestation')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** An attested artifact is attested no more. */
export async function withdrawAttested(handle: Handle, id: string): Promise<void> {
  await handle
    .updateTable('authored_artifact')
    .set({ source_analysis_state: 'unknown' })
    .where('id', '=', id)
    .where('source_analysis_state', '=', 'attested')
    .execute();
}

/** Artifacts that carry an analysis become unknown, except stale ones. */
export async function withdrawCarriers(handle: Handle, analysisId: string): Promise<void> {
  await handle
    .updateTable('authored_artifact')
    .set({ source_analysis_state: 'unknown' })
    .where('source_analysis_state', 'not in', ['stale', 'unknown'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('artifact_component_analysis')
        .select('artifact_id')
        .where('analysis_id', '=', analysisId),
    )
    .execute();
}
