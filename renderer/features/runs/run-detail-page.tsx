import './runs.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import {
  getRun,
  getRunGraph,
  listRuns,
  type RunDetail,
} from '../../../server/contract/dashboard/runs.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { RunActions } from './run-actions.tsx';
import { readableText, runDuration, runTitle, usageText } from './run-model.ts';

/** What the parts of the page that other features draw are given. */
export interface RunPartProps {
  readonly run: RunDetail;
  /** Node chosen in the graph; the trace shows only its events. */
  readonly node: string | null;
  readonly onNode: (id: string | null) => void;
  /** Something of the run changed: read it again. */
  readonly onChange: () => void;
}

/** The parts that other features draw; `app` puts them in. */
export interface RunParts {
  readonly trace: (props: RunPartProps) => ReactNode;
  readonly graph: (props: RunPartProps) => ReactNode;
  readonly checkpoints: (props: RunPartProps) => ReactNode;
  readonly task: (props: RunPartProps) => ReactNode;
}

const LIVE_MS = 3_000;

function readAgain(): void {
  for (const route of [getRun, getRunGraph, listHumanTasks, listRuns]) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
}

/** One run: its state, the person it waits for, its output, its live trace and its path. */
export function RunDetailPage(props: { readonly runId: string; readonly parts: RunParts }) {
  const { runId } = props;
  const [node, setNode] = useState<string | null>(null);
  const onChange = useCallback(readAgain, []);
  const query = useQuery({
    ...routeQuery(getRun, { params: { run_id: runId } }),
    refetchInterval: ({ state }) => (state.data?.is_terminal === true ? false : LIVE_MS),
  });
  const run = query.data;
  return (
    <Page
      title={runTitle(run)}
      testId="run-page"
      sub={
        <span className="sw-run-line">
          <CopyCode value={runId} shown={runId.slice(0, 8)} label="Copy run id" />
          {run !== undefined && <RunLine run={run} />}
        </span>
      }
      actions={run !== undefined && <RunActions run={run} onChange={onChange} />}
    >
      {query.isPending && <ListSkeleton rows={8} />}
      {query.isError && run === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {run !== undefined && (
        <RunBody parts={props.parts} with={{ run, node, onNode: setNode, onChange }} />
      )}
    </Page>
  );
}

function RunLine(props: { readonly run: RunDetail }) {
  const { run } = props;
  const duration = runDuration(run, Date.now());
  return (
    <>
      <span data-testid="run-status" data-status={run.status}>
        <StatusBadge status={run.status} />
      </span>
      {run.runtime_mode === 'dummy' && <Badge tone="info">offline runtime</Badge>}
      <span>
        started <TimeAgo at={run.created_at} />
      </span>
      {duration !== null && <span>{durationText(duration)}</span>}
      {usageText(run) !== undefined && <span>{usageText(run)}</span>}
    </>
  );
}

function RunBody(props: { readonly parts: RunParts; readonly with: RunPartProps }) {
  const { parts } = props;
  const { run } = props.with;
  return (
    <div className="sw-run">
      <div>
        {run.status === 'blocked' && run.continuation_id !== null && (
          <section className="sw-run-section sw-run-waiting">
            <h2 className="sw-section-title">Waiting for a person</h2>
            {parts.task(props.with)}
          </section>
        )}
        {run.error !== null && (
          <section className="sw-run-section" role="alert">
            <h2 className="sw-section-title">
              Error{run.current_node_id !== null && ` at ${run.current_node_id}`}
            </h2>
            <pre className="sw-run-text" data-tone="danger">
              {run.error}
            </pre>
          </section>
        )}
        <RunOutput run={run} />
        <section className="sw-run-section">
          <h2 className="sw-section-title">Trace</h2>
          {parts.trace(props.with)}
        </section>
      </div>
      <div>
        <section className="sw-run-section">
          <h2 className="sw-section-title">Path</h2>
          {parts.graph(props.with)}
        </section>
        <section className="sw-run-section">
          <h2 className="sw-section-title">Checkpoints</h2>
          {parts.checkpoints(props.with)}
        </section>
        <section className="sw-run-section">
          <h2 className="sw-section-title">
            Input {run.input_redacted && <Badge tone="info">redacted</Badge>}
          </h2>
          <pre className="sw-run-text">{readableText(run.input_text ?? '')}</pre>
        </section>
      </div>
    </div>
  );
}

/** What the run gave; a blocked run's own text only says that it waits. */
function RunOutput(props: { readonly run: RunDetail }) {
  const { run } = props;
  if (run.status === 'blocked') {
    return run.continuation_id === null ? (
      <section className="sw-run-section">
        <h2 className="sw-section-title">Waiting for a person</h2>
      </section>
    ) : null;
  }
  return (
    <section className="sw-run-section">
      <h2 className="sw-section-title">
        {run.is_terminal ? 'Output' : 'Output so far'}
        {run.output_text !== null && <CopyCode value={run.output_text} shown="copy" />}
      </h2>
      {run.output_text === null ? (
        <p className="sw-faint">{run.is_terminal ? 'The run has no output.' : 'None yet.'}</p>
      ) : (
        <pre className="sw-run-text" data-testid="run-output">
          {readableText(run.output_text)}
        </pre>
      )}
    </section>
  );
}
