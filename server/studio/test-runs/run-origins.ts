import { type RunOrigin, TEST_RUN_SESSION } from '../../contract/studio/test-runs.ts';
import type { StudioDeps } from '../deps.ts';

const MOST = 200;

/** The ids of runs of the studio that sessions name; other sessions are none of its own. */
function studioRunIds(sessions: readonly string[]): string[] {
  const own = sessions.filter((session) => session.startsWith(TEST_RUN_SESSION));
  return [...new Set(own)].slice(0, MOST).map((session) => session.slice(TEST_RUN_SESSION.length));
}

/** Where runs come from: only what stands in projects that the principal is a member of. */
export async function findRunOrigins(
  deps: StudioDeps,
  principalId: string,
  sessions: readonly string[],
): Promise<RunOrigin[]> {
  const ids = studioRunIds(sessions);
  if (ids.length === 0) return [];
  const [ofArtifacts, ofDrafts] = await Promise.all([
    artifactOrigins(deps, principalId, ids),
    draftOrigins(deps, principalId, ids),
  ]);
  return [...ofArtifacts, ...ofDrafts];
}

/** Test runs: of an artifact, which was made of a draft. */
async function artifactOrigins(
  deps: StudioDeps,
  principalId: string,
  ids: readonly string[],
): Promise<RunOrigin[]> {
  const rows = await deps.db
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
async function draftOrigins(
  deps: StudioDeps,
  principalId: string,
  ids: readonly string[],
): Promise<RunOrigin[]> {
  const rows = await deps.db
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
