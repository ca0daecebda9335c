import { sql } from 'kysely';
import type { DraftSession } from '../../contract/studio/test-runs.ts';
import type { Handle } from '../handle.ts';

/** Of each draft its newest run: from the editor, or of an artifact that was made of it. */
export async function newestDraftSessions(
  handle: Handle,
  projectId: string,
): Promise<DraftSession[]> {
  const ofEditor = handle
    .selectFrom('draft_run')
    .where('project_id', '=', projectId)
    .where('platform_run_id', 'is not', null)
    .select([
      'draft_ref',
      'platform_session_id as session_id',
      'created_at as started_at',
      'id as run_id',
      sql<number>`0`.as('kind'),
    ]);
  const ofArtifacts = handle
    .selectFrom('test_run as run')
    .innerJoin('artifact_component as base', 'base.artifact_id', 'run.artifact_id')
    .where('base.role', '=', 'base')
    .where('run.project_id', '=', projectId)
    .where('run.platform_run_id', 'is not', null)
    .select([
      'base.ref as draft_ref',
      'run.platform_session_id as session_id',
      'run.created_at as started_at',
      'run.id as run_id',
      sql<number>`1`.as('kind'),
    ]);
  return handle
    .selectFrom((from) =>
      from
        .selectFrom(ofEditor.unionAll(ofArtifacts).as('runs'))
        .select(({ fn }) => [
          'draft_ref',
          'session_id',
          'started_at',
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('draft_ref')
                .orderBy('started_at', 'desc')
                .orderBy('kind')
                .orderBy('run_id', 'desc'),
            )
            .as('place'),
        ])
        .as('newest'),
    )
    .where('place', '=', 1)
    .select(['draft_ref', 'session_id', 'started_at'])
    .execute();
}
