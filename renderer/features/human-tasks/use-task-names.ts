import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import type { HumanTaskRow } from '../../../server/contract/dashboard/human-tasks.ts';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import { routeQuery } from '../../data/query-client.ts';
import { runName } from '../../data/run-name.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';

const LIMIT = 200;
const FRESH_MS = 10_000;

/** The name of a task's run as the other pages tell it; the workflow's own until it is known. */
export function useTaskNames(
  rows: readonly HumanTaskRow[],
): (row: Pick<HumanTaskRow, 'run_id' | 'workflow_name'>) => string {
  const waiting = useQuery({
    ...routeQuery(listRuns, { query: { status: 'blocked', limit: LIMIT, offset: 0 } }),
    enabled: rows.length > 0,
    staleTime: FRESH_MS,
    // A task whose run is not among them came since.
    refetchInterval: ({ state }) => {
      const known = new Set(state.data?.rows.map(({ run_id }) => run_id));
      return rows.every(({ run_id }) => known.has(run_id)) ? false : FRESH_MS;
    },
  });
  const runs = waiting.data?.rows ?? [];
  const origins = useRunOrigins(runs.map(({ session_id }) => session_id));
  const names = new Map(
    runs.map((run) => [run.run_id, runName(run, origins.get(run.session_id ?? ''))]),
  );
  return ({ run_id, workflow_name }) => names.get(run_id) ?? (workflow_name || t('Run'));
}
