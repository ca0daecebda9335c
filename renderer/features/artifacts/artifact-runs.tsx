import { useQuery } from '@tanstack/react-query';
import { listTestRuns, type StudioTestRun } from '../../../server/contract/studio/test-runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const SHOWN = 10;

/** The latest runs that were started from an artifact. */
export function ArtifactRuns(props: { readonly projectId: string; readonly artifactId: string }) {
  const runs = useQuery({
    ...routeQuery(listTestRuns, {
      params: { project_id: props.projectId },
      query: { artifact_id: props.artifactId, limit: SHOWN },
    }),
    refetchInterval: 5_000,
  });
  if (runs.isPending) {
    return <ListSkeleton rows={2} />;
  }
  if (runs.isError) {
    return <ErrorState compact error={runs.error} onRetry={() => void runs.refetch()} />;
  }
  if (runs.data.length === 0) {
    return (
      <EmptyState compact title="Not run yet">
        Run starts it on the platform that it is bound to.
      </EmptyState>
    );
  }
  return (
    <div data-testid="artifact-runs">
      {runs.data.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </div>
  );
}

function RunRow(props: { readonly run: StudioTestRun }) {
  const { run } = props;
  return (
    <div className="sw-check" style={{ gridTemplateColumns: 'minmax(0, 1fr) auto auto' }}>
      <span className="sw-mono">
        {run.platform_run_id === null ? (
          run.id.slice(0, 8)
        ) : (
          <AppLink to={paths.run(run.platform_run_id)}>{run.platform_run_id.slice(0, 8)}</AppLink>
        )}
      </span>
      <StatusBadge status={run.platform?.status ?? run.status} />
      <TimeAgo at={run.created_at} />
    </div>
  );
}
