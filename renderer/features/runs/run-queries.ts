import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import {
  getRecovery,
  getReplay,
  getRunItems,
  getRunRecord,
  getRunUsage,
} from '../../../server/contract/dashboard/run-record.ts';
import {
  getRun,
  getRunChain,
  getRunGraph,
  listRuns,
  type RunDetail,
} from '../../../server/contract/dashboard/runs.ts';
import { toApiError } from '../../data/api-error.ts';
import { paceOfRun } from '../../data/followed-runs.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { factsOf, type RunFacts } from './run-facts.ts';
import { type SavedState, savedStates } from './run-timeline.ts';

const pace = restful((run: RunDetail) => [
  run.status,
  run.updated_at,
  run.trace_event_count,
  run.checkpoints.length,
]);
const NEVER = Number.POSITIVE_INFINITY;
/** A busy trace asks for fresh reads at most this often. */
const PACE_MS = 400;

const READ_AGAIN = [
  getRun,
  getRunGraph,
  getRunChain,
  listHumanTasks,
  listRuns,
  getRecovery,
  getReplay,
  getRunItems,
  getRunRecord,
  getRunUsage,
];

function readAgain(): void {
  for (const route of READ_AGAIN) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
}

let paced = false;

/** Reads what is shown of runs again, once for many calls in a row. */
export function runChanged(): void {
  if (paced) {
    return;
  }
  paced = true;
  setTimeout(() => {
    paced = false;
    readAgain();
  }, PACE_MS);
}

/** What other reads say of a run is stale once its status is another one. */
export function useReadAgainFor(status: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again for each new status
  useEffect(runChanged, [status]);
}

/** The run as the dashboard shows it, live until it is over. */
export function useRun(runId: string) {
  return useQuery({
    ...routeQuery(getRun, { params: { run_id: runId } }),
    refetchInterval: (query) =>
      query.state.data?.is_terminal === true ? false : paceOfRun(runId, query, pace(query)),
  });
}

/** What the platform keeps beside the state of the run. */
export function useRunRecord(runId: string) {
  return useQuery(routeQuery(getRunRecord, { params: { run_id: runId } }));
}

/** As {@link useRunRecord}, in parts; undefined while unknown. */
export function useRunFacts(runId: string): RunFacts | undefined {
  const { data } = useRunRecord(runId);
  return useMemo(() => (data === undefined ? undefined : factsOf(data)), [data]);
}

/** Where a run stopped; asked for only when there is something to advise. */
export function useRecovery(runId: string, enabled: boolean) {
  return useQuery({
    ...routeQuery(getRecovery, { params: { run_id: runId } }),
    enabled,
    staleTime: NEVER,
  });
}

/**
 * The saved states of a run in order, once the run itself `isKnown`: those of a long run take the
 * platform longer than all that the page shows first.
 */
export function useSavedStates(runId: string, isKnown = true) {
  const replay = useQuery({
    ...routeQuery(getReplay, { params: { run_id: runId } }),
    enabled: isKnown,
  });
  const states: readonly SavedState[] = useMemo(
    () => (replay.data === undefined ? [] : savedStates(replay.data)),
    [replay.data],
  );
  return { replay, states };
}

/**
 * What the models of a run used by step. `isUnknown`: an older platform, or a dashboard of another
 * version, does not tell.
 */
export function useRunUsage(run: Pick<RunDetail, 'run_id' | 'usage'>) {
  const isUsed = (run.usage?.total_tokens ?? 0) > 0;
  const query = useQuery({
    ...routeQuery(getRunUsage, { params: { run_id: run.run_id } }),
    enabled: isUsed,
  });
  const steps = query.data?.steps ?? [];
  const isUnknown =
    query.data?.available === false ||
    (query.isError && toApiError(query.error).code === 'not_found');
  return { isUsed, query, steps, isUnknown };
}
