import './run-graph.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getRunGraph, type RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { toApiError } from '../../data/api-error.ts';
import { routeQuery } from '../../data/query-client.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { drawRun } from './run-graph-model.ts';

const LIVE_MS = 2_000;

/** The workflow of a run with the path taken; a click on a node chooses it. */
export function RunGraphPanel(props: {
  readonly run: RunDetail;
  readonly node: string | null;
  readonly onNode: (id: string | null) => void;
}) {
  const { run, node, onNode } = props;
  const view = useQuery({
    ...routeQuery(getRunGraph, { params: { run_id: run.run_id } }),
    refetchInterval: run.is_terminal ? false : LIVE_MS,
  });
  const drawn = useMemo(
    () =>
      view.data === undefined
        ? null
        : drawRun(view.data, { status: run.status, path: run.path, kind: run.workflow_kind }),
    [view.data, run.status, run.path, run.workflow_kind],
  );
  if (view.isPending) {
    return <ListSkeleton rows={4} />;
  }
  if (view.isError && view.data === undefined) {
    return toApiError(view.error).code === 'spec_invalid' ? (
      <EmptyState compact title="No graph">
        The spec of this run does not compile.
      </EmptyState>
    ) : (
      <ErrorState compact error={view.error} onRetry={() => void view.refetch()} />
    );
  }
  if (drawn === null) {
    return (
      <EmptyState compact title="No graph">
        {run.path.length === 0
          ? 'This run has no workflow that can be drawn.'
          : run.path.join(' → ')}
      </EmptyState>
    );
  }
  return (
    <div className="sw-run-graph">
      <GraphCanvas
        graph={drawn.graph}
        progress={drawn.progress}
        taken={drawn.taken}
        activeId={node}
        onNode={(id) => onNode(id === node ? null : id)}
        label="Path of the run"
      />
    </div>
  );
}
