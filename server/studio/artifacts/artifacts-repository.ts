import type { ArtifactComponentRow, AuthoredArtifactRow } from '../../store/studio-tables.ts';
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
