import type { RunOrigin } from '../../contract/studio/test-runs.ts';
import type { Handle } from '../handle.ts';

/** Test runs: of an artifact, which was made of a draft. */
export async function listArtifactOrigins(
  handle: Handle,
  principalId: string,
  ids: readonly string[],
): Promise<RunOrigin[]> {
  const rows = await handle
    .selectFrom('test_run as run')
    .innerJoin('project', 'project.id', 'run.project_id')
    .innerJoin('project_member as member', 'member.project_id', 'run.project_id')
    .innerJoin('authored_artifact as artifact', 'artifact.id', 'run.artifact_id')
    .innerJoin('artifact_component as base', 'base.artifact_id', 'run.artifact_id')
    .where('member.principal_id', '=', principalId)
    .where('run.id', 'in', ids)
    .where('base.role', '=', 'base')
    .select([
      'run.platform_session_id as session_id',
      'run.project_id',
      'project.name as project_name',
      'run.artifact_id',
      'artifact.deleted_at',
      'base.ref as draft_ref',
      'base.revision as draft_revision',
    ])
    .execute();
  return rows.map(({ deleted_at, ...row }) => ({ ...row, artifact_deleted: deleted_at !== null }));
}

/** Runs from the editor: of a text that grew from a draft, without an artifact. */
export async function listDraftOrigins(
  handle: Handle,
  principalId: string,
  ids: readonly string[],
): Promise<RunOrigin[]> {
  const rows = await handle
    .selectFrom('draft_run as run')
    .innerJoin('project', 'project.id', 'run.project_id')
    .innerJoin('project_member as member', 'member.project_id', 'run.project_id')
    .where('member.principal_id', '=', principalId)
    .where('run.id', 'in', ids)
    .select([
      'run.platform_session_id as session_id',
      'run.project_id',
      'project.name as project_name',
      'run.draft_ref',
      'run.draft_revision',
    ])
    .execute();
  return rows.map((row) => ({ ...row, artifact_id: null, artifact_deleted: false }));
}
