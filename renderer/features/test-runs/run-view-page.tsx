import './test-runs.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import { cancelRun } from '../../../server/contract/dashboard/run-actions.ts';
import { getRun, getRunGraph, type runDetail } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { graphFromWire } from '../../graph/graph-model.ts';
import type { NodeProgress } from '../../graph/node-shapes.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TaskAnswer } from './task-answer.tsx';
import { useLiveTrace } from './use-live-trace.ts';

type RunDetail = z.output<typeof runDetail>;

/** One run: its state, output, the step that waits for a person, its graph and its live trace. */
export function RunViewPage(props: { readonly runId: string }) {
  const { runId } = props;
  const run = useQuery({
    ...routeQuery(getRun, { params: { run_id: runId } }),
    refetchInterval: (query) => (query.state.data?.is_terminal === true ? false : 2_000),
  });
  const refresh = useCallback(() => {
    void queryClient.invalidateQueries({ queryKey: routePrefix(getRun) });
    void queryClient.invalidateQueries({ queryKey: routePrefix(getRunGraph) });
    void queryClient.invalidateQueries({ queryKey: routePrefix(listHumanTasks) });
  }, []);
  const cancel = async (): Promise<void> => {
    try {
      await call(cancelRun, { params: { run_id: runId } });
      notifyDone('The run was told to stop');
      refresh();
    } catch (error) {
      notifyError('The run was not stopped', error);
    }
  };
  const detail = run.data;
  return (
    <Page
      title={detail?.workflow_name || detail?.agent_name || 'Run'}
      testId="run-page"
      sub={
        <>
          Run <CopyCode value={runId} shown={runId.slice(0, 8)} />{' '}
          {detail !== undefined && (
            <span data-testid="run-status" data-status={detail.status}>
              <StatusBadge status={detail.status} />
            </span>
          )}
        </>
      }
      actions={
        detail?.is_terminal === false && (
          <Button variant="default" onClick={() => void cancel()} data-testid="cancel-run">
            Stop run
          </Button>
        )
      }
    >
      {run.isPending && <ListSkeleton />}
      {run.isError && <ErrorState error={run.error} onRetry={() => void run.refetch()} />}
      {detail !== undefined && <RunBody run={detail} onChange={refresh} />}
    </Page>
  );
}

function RunBody(props: { readonly run: RunDetail; readonly onChange: () => void }) {
  const { run, onChange } = props;
  return (
    <div className="sw-run">
      <div>
        {run.continuation_id !== null && run.status === 'blocked' && (
          <section className="sw-run-section">
            <h2 className="sw-section-title">Waiting for a person</h2>
            <TaskAnswer continuationId={run.continuation_id} onAnswered={onChange} />
          </section>
        )}
        {run.error !== null && (
          <section className="sw-run-section" role="alert">
            <h2 className="sw-section-title">Error</h2>
            <pre className="sw-run-text">{run.error}</pre>
          </section>
        )}
        <section className="sw-run-section">
          <h2 className="sw-section-title">Output</h2>
          {run.output_text === null ? (
            <p className="sw-faint">{run.is_terminal ? 'The run has no output.' : 'Not yet.'}</p>
          ) : (
            <pre className="sw-run-text" data-testid="run-output">
              {run.output_text}
            </pre>
          )}
        </section>
        <section className="sw-run-section">
          <h2 className="sw-section-title">Trace</h2>
          <Trace runId={run.run_id} onChange={onChange} />
        </section>
      </div>
      <div>
        <section className="sw-run-section">
          <h2 className="sw-section-title">Path</h2>
          <RunGraphView run={run} />
        </section>
        {run.input_text !== null && (
          <section className="sw-run-section">
            <h2 className="sw-section-title">Input</h2>
            <pre className="sw-run-text">{run.input_text}</pre>
          </section>
        )}
        <AppLink to={paths.runs()}>All runs</AppLink>
      </div>
    </div>
  );
}

function Trace(props: { readonly runId: string; readonly onChange: () => void }) {
  const trace = useLiveTrace(props.runId, props.onChange);
  return (
    <>
      {trace.state === 'failed' && (
        <ErrorState compact title="The live trace stopped" error={trace.error} />
      )}
      <ol className="sw-trace" data-testid="trace" data-state={trace.state}>
        {trace.events.map((event, index) => (
          <li key={event.event_id ?? `${event.ts} ${index}`} data-kind={event.kind}>
            <span className="sw-mono sw-faint">{event.ts.slice(11, 23)}</span>
            <span>{event.type.replaceAll('_', ' ')}</span>
            <strong>{event.node}</strong>
            <span className="sw-faint sw-trace-text">
              {event.duration_ms > 0 ? `${durationText(event.duration_ms)} ` : ''}
              {event.error ?? event.output_preview ?? event.input_preview ?? ''}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function RunGraphView(props: { readonly run: RunDetail }) {
  const { run } = props;
  const view = useQuery({
    ...routeQuery(getRunGraph, { params: { run_id: run.run_id } }),
    refetchInterval: run.is_terminal ? false : 2_000,
  });
  const drawn = useMemo(() => {
    if (view.data?.available !== true) {
      return null;
    }
    const graph = graphFromWire({
      workflow_kind: run.workflow_kind,
      start: null,
      nodes: view.data.nodes,
      edges: view.data.edges.map((edge) => ({ ...edge, conditional: false })),
    });
    const progress = Object.fromEntries(
      view.data.nodes.map((node): [string, NodeProgress] => [
        node.id,
        progressOf(node, run.status),
      ]),
    );
    return { graph, progress };
  }, [view.data, run.workflow_kind, run.status]);
  if (view.isPending) {
    return <ListSkeleton rows={3} />;
  }
  if (view.isError) {
    return <ErrorState compact error={view.error} onRetry={() => void view.refetch()} />;
  }
  return drawn === null ? (
    <p className="sw-faint">{run.path.length === 0 ? 'No path yet.' : run.path.join(' → ')}</p>
  ) : (
    <div className="sw-run-graph">
      <GraphCanvas graph={drawn.graph} progress={drawn.progress} label={`Path of the run`} />
    </div>
  );
}

function progressOf(
  node: { readonly visited: boolean; readonly current: boolean },
  status: string,
): NodeProgress {
  if (node.current && status !== 'completed') {
    return status === 'failed' ? 'failed' : 'current';
  }
  return node.visited ? 'visited' : 'idle';
}
