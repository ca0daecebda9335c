import { t } from '../../preload/texts/t.ts';
import { getRunRecord } from '../../server/contract/dashboard/run-record.ts';
import { listRuns } from '../../server/contract/dashboard/runs.ts';
import { queryClient, routeQuery } from './query-client.ts';

/** The run to compare with, or in words why there is none. */
export type LastSuccess = { readonly runId: string } | { readonly why: string };

/** So many of the newest are looked through, should a platform not filter by the workflow itself. */
const LOOKED_AT = 50;

/**
 * The newest run of the same workflow that completed: of the same agent where there is one, since
 * workflows of different specs may share a name.
 */
export async function lastSuccess(runId: string): Promise<LastSuccess> {
  const run = await queryClient.fetchQuery(routeQuery(getRunRecord, { params: { run_id: runId } }));
  const name = run.workflow_name ?? '';
  if (name === '') {
    return {
      why: t(
        'This run ended before its workflow had a name, so it is not known which runs are of the same.',
      ),
    };
  }
  const query = { status: 'completed', workflow_name: name, limit: LOOKED_AT };
  const { rows, unsupported_filters } = await queryClient.fetchQuery({
    ...routeQuery(listRuns, { query }),
    staleTime: 0,
  });
  const same = rows.filter(
    ({ run_id, workflow_name, status }) =>
      run_id !== runId && workflow_name === name && status === 'completed',
  );
  const found = same.find(({ agent_name }) => agent_name === run.agent_name) ?? same[0];
  if (found !== undefined) {
    return { runId: found.run_id };
  }
  return {
    why: unsupported_filters.includes('workflow_name')
      ? t(
          'None of the newest {LOOKED_AT} runs that completed is of “{name}”, and this platform does not look for a workflow by its name.',
          { LOOKED_AT, name },
        )
      : t('No run of “{name}” has completed yet, so there is none to compare with.', { name }),
  };
}
