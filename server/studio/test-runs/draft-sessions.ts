import type { DraftSession } from '../../contract/studio/test-runs.ts';
import type { StudioDeps } from '../deps.ts';
import { newestArtifactSessions, newestEditorSessions } from './draft-sessions-repository.ts';

/** The session of the newest run of each draft of a project that a platform took. */
export async function listDraftSessions(
  deps: StudioDeps,
  projectId: string,
): Promise<DraftSession[]> {
  const [ofEditor, ofArtifacts] = await Promise.all([
    newestEditorSessions(deps.db, projectId),
    newestArtifactSessions(deps.db, projectId),
  ]);
  const newest = new Map(ofEditor.map((session) => [session.draft_ref, session]));
  for (const session of ofArtifacts) {
    const other = newest.get(session.draft_ref);
    if (other === undefined || other.started_at < session.started_at) {
      newest.set(session.draft_ref, session);
    }
  }
  return [...newest.values()];
}
