import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import {
  getTestRun,
  listTestRuns,
  type StudioTestRun,
} from '../../../server/contract/studio/test-runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';

const SHOWN = 10;
const LIVE_MS = 3_000;

/** The latest runs that were started from an artifact. */
export function ArtifactRuns(props: { readonly projectId: string; readonly artifactId: string }) {
  const runs = useQuery({
    ...routeQuery(listTestRuns, {
      params: { project_id: props.projectId },
      query: { artifact_id: props.artifactId, limit: SHOWN },
    }),
    refetchInterval: 5_000,
  });
  if (!runs.isSuccess) {
    return <Unread query={runs} rows={2} compact />;
  }
  if (runs.data.length === 0) {
    return (
      <EmptyState compact title={t('Not run yet')}>
        {t('Run starts it on the platform that it is bound to.')}
      </EmptyState>
    );
  }
  return (
    <div data-testid="artifact-runs">
      {runs.data.map((run) => (
        <RunRow key={run.id} projectId={props.projectId} run={run} />
      ))}
    </div>
  );
}

/**
 * The run as the platform tells it, followed until it is over; the list itself does not ask the
 * platform.
 */
function usePlatformRun(projectId: string, run: StudioTestRun) {
  const live = useQuery({
    ...routeQuery(getTestRun, { params: { project_id: projectId, test_run_id: run.id } }),
    enabled: run.platform_run_id !== null,
    refetchInterval: ({ state }) =>
      isTerminalStatus(state.data?.platform?.status) ? false : LIVE_MS,
    retry: false,
  });
  return live.data?.platform ?? run.platform;
}

function RunRow(props: { readonly projectId: string; readonly run: StudioTestRun }) {
  const { run } = props;
  const platform = usePlatformRun(props.projectId, run);
  const said = platform?.error?.['message'] ?? platform?.output_text ?? '';
  return (
    <div className="sw-check sw-artifact-run">
      <StatusBadge status={platform?.status ?? run.status} />
      <span className="sw-mono">
        {run.platform_run_id === null ? (
          run.id.slice(0, 8)
        ) : (
          <AppLink to={paths.run(run.platform_run_id)}>{shortRunId(run.platform_run_id)}</AppLink>
        )}
      </span>
      <span className="sw-artifact-run-text">{String(said)}</span>
      <TimeAgo at={run.created_at} />
    </div>
  );
}
