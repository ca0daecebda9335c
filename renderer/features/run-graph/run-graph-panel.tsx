import { t } from '../../../preload/texts/t.ts';
import './run-graph.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  getRunGraph,
  type RunDetail,
  type RunGraphView,
} from '../../../server/contract/dashboard/runs.ts';
import { toApiError } from '../../data/api-error.ts';
import { paceOfRun } from '../../data/followed-runs.ts';
import { routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { answeredNodes, drawRun, progressNow } from './run-graph-model.ts';

const pace = restful((graph: RunGraphView) => graph, { busy: 2_000 });

/** The workflow of a run with the path taken, now or at a saved state; a click on a node chooses it. */
export function RunGraphPanel(props: {
  readonly run: RunDetail;
  readonly node: string | null;
  readonly onNode: (id: string | null) => void;
  /** The saved state to draw; null = the run as it is now. */
  readonly shown: {
    readonly sequence: number;
    readonly visited: readonly string[];
    readonly current: string | null;
    readonly failed: boolean;
  } | null;
  readonly live: { readonly busy: readonly string[]; readonly failed: readonly string[] };
  /** The edges that items went along; null where none did. */
  readonly ways: ReadonlySet<string> | null;
  /** What answered in place of steps, by their key. */
  readonly answeredBy: Readonly<Record<string, string>>;
}) {
  const { run, node, onNode, shown, live, ways, answeredBy } = props;
  const view = useQuery({
    ...routeQuery(getRunGraph, { params: { run_id: run.run_id } }),
    refetchInterval: (query) =>
      run.is_terminal ? false : paceOfRun(run.run_id, query, pace(query)),
  });
  const { status, path, workflow_kind } = run;
  const drawn = useMemo(() => {
    if (view.data === undefined) {
      return null;
    }
    const progress =
      shown === null
        ? progressNow(view.data, { status, path, live })
        : { ...shown, busy: [], failed: shown.failed && shown.current ? [shown.current] : [] };
    return drawRun(view.data, workflow_kind, progress, ways);
  }, [view.data, status, path, workflow_kind, shown, live, ways]);
  const notes = useMemo(
    () => (drawn === null ? {} : answeredNodes(drawn, answeredBy)),
    [drawn, answeredBy],
  );
  if (view.isPending) {
    return <ListSkeleton rows={4} />;
  }
  if (view.isError && view.data === undefined) {
    return toApiError(view.error).code === 'spec_invalid' ? (
      <EmptyState compact title={t('No graph')}>
        {t('The spec of this run does not compile.')}
      </EmptyState>
    ) : (
      <ErrorState compact error={view.error} onRetry={() => void view.refetch()} />
    );
  }
  if (drawn === null) {
    return (
      <EmptyState compact title={t('No graph')}>
        {run.path.length === 0
          ? t('This kind of workflow cannot be drawn.')
          : t('This kind of workflow cannot be drawn. What ran so far: {path}.', {
              path: run.path.join(' → '),
            })}
      </EmptyState>
    );
  }
  return (
    <div className="sw-run-graph">
      <GraphCanvas
        graph={drawn.graph}
        progress={drawn.progress}
        taken={drawn.taken}
        notes={notes}
        activeId={node}
        onNode={(id) => onNode(id === node ? null : id)}
        label={
          shown === null
            ? t('Path of the run')
            : t('Path of the run at checkpoint {sequence}', { sequence: shown.sequence })
        }
      />
    </div>
  );
}
