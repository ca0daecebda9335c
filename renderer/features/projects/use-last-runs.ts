import { useQueries, useQuery } from '@tanstack/react-query';
import { listRuns, type RunList, type RunRow } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import { listDraftSessions } from '../../../server/contract/studio/test-runs.ts';
import { useMayAsk } from '../../data/environment.ts';
import { every, type KeptRead } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';

type LastRun = KeptRead & { readonly state: { readonly data?: RunList | undefined } };

/** How often it is asked whether a draft was run anew, and how a run goes that is not over. */
const ASKED_MS = 10_000;
/** A run that is over is looked at again only for whether somebody ran it once more. */
const OVER_MS = 60_000;

/**
 * How each draft of the project ran last, by the draft. Runs are asked for by the session of the
 * draft's newest one: most have ended, and are not read again. A hidden window asks nothing.
 */
export function useLastRuns(projectId: string): ReadonlyMap<string, RunRow> {
  const mayAsk = useMayAsk();
  const sessions = useQuery({
    ...routeQuery(listDraftSessions, { params: { project_id: projectId } }),
    refetchInterval: every(ASKED_MS),
    retry: false,
  }).data;
  return useQueries({
    queries: (sessions ?? []).map(({ session_id }) => ({
      ...routeQuery(listRuns, { query: { session_id, limit: 1, offset: 0 } }),
      staleTime: OVER_MS,
      refetchInterval: (query: LastRun) => every(isOver(query) ? false : ASKED_MS)(query),
      retry: false,
      enabled: mayAsk,
    })),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }, at) => {
          const [run, ref] = [data?.rows[0], sessions?.[at]?.draft_ref];
          return run === undefined || ref === undefined ? [] : [[ref, run] as const];
        }),
      ),
  });
}

/** A run that this platform does not have ran elsewhere, and nothing of it changes here. */
function isOver({ state }: LastRun): boolean {
  if (state.data === undefined) return false;
  const [run] = state.data.rows;
  return run === undefined || isTerminalStatus(run.status);
}
