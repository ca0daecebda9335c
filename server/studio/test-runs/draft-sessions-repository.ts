import type { DraftSession } from '../../contract/studio/test-runs.ts';
import type { Handle } from '../handle.ts';

/** Of each draft its newest run from the editor. */
export async function newestEditorSessions(
  handle: Handle,
  projectId: string,
): Promise<DraftSession[]> {
  return handle
    .selectFrom((from) =>
      from
        .selectFrom('draft_run as run')
        .where('run.project_id', '=', projectId)
        .where('run.platform_run_id', 'is not', null)
        .select(({ fn }) => [
          'run.draft_ref',
          'run.platform_session_id as session_id',
          'run.created_at as started_at',
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('run.draft_ref')
                .orderBy('run.created_at', 'desc')
                .orderBy('run.id', 'desc'),
            )
            .as('place'),
        ])
        .as('newest'),
    )
    .where('place', '=', 1)
    .select(['draft_ref', 'session_id', 'started_at'])
    .execute();
}

/** Of each draft the newest run of an artifact that was made of it. */
export async function newestArtifactSessions(
  handle: Handle,
  projectId: string,
): Promise<DraftSession[]> {
  return handle
    .selectFrom((from) =>
      from
        .selectFrom('test_run as run')
        .innerJoin('artifact_component as base', 'base.artifact_id', 'run.artifact_id')
        .where('base.role', '=', 'base')
        .where('run.project_id', '=', projectId)
        .where('run.platform_run_id', 'is not', null)
        .select(({ fn }) => [
          'base.ref as draft_ref',
          'run.platform_session_id as session_id',
          'run.created_at as started_at',
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('base.ref')
                .orderBy('run.created_at', 'desc')
                .orderBy('run.id', 'desc'),
            )
            .as('place'),
        ])
        .as('newest'),
    )
    .where('place', '=', 1)
    .select(['draft_ref', 'session_id', 'started_at'])
    .execute();
}
