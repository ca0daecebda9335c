import { type RunOrigin, TEST_RUN_SESSION } from '../../contract/studio/test-runs.ts';
import type { StudioDeps } from '../deps.ts';
import { listArtifactOrigins, listDraftOrigins } from './run-origins-repository.ts';

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
    listArtifactOrigins(deps.db, principalId, ids),
    listDraftOrigins(deps.db, principalId, ids),
  ]);
  return [...ofArtifacts, ...ofDrafts];
}
