import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { cancelRun } from '../../server/contract/dashboard/run-actions.ts';
import { getRunGraph, type RunDetail } from '../../server/contract/dashboard/runs.ts';
import { call } from '../data/api-client.ts';
import { useLack } from '../data/connections.ts';
import { paceOfRun } from '../data/followed-runs.ts';
import { useOnScreen } from '../data/on-screen.ts';
import { useHindrance } from '../data/operator.ts';
import { routeQuery } from '../data/query-client.ts';
import { runName } from '../data/run-name.ts';
import type { LiveRunProps } from '../features/editor/run/run-panel.tsx';
import type { DraftRunProgress } from '../features/editor/run/run-progress.ts';
import { TaskView } from '../features/human-tasks/task-view.tsx';
import { answeredNodes, drawRun, progressNow } from '../features/run-graph/run-graph-model.ts';
import { LiveAnswers } from '../features/runs/live-answers.tsx';
import { RerunDialog } from '../features/runs/rerun-dialog.tsx';
import { isItemFlow } from '../features/runs/run-facts.ts';
import { RunItemsView } from '../features/runs/run-items.tsx';
import { droppedText } from '../features/runs/run-model.ts';
import {
  runChanged,
  useReadAgainFor,
  useRun,
  useRunFacts,
  useSavedStates,
} from '../features/runs/run-queries.ts';
import { RunResult } from '../features/runs/run-result.tsx';
import { RunText } from '../features/runs/run-text.tsx';
import type { SavedState } from '../features/runs/run-timeline.ts';
import { limitReached } from '../features/runs/spec-place.ts';
import { useItemWays } from '../features/runs/use-run-items.ts';
import { TracePanel } from '../features/trace/trace-panel.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { notifyError } from '../ui/notify.tsx';
import { OfflineBadge } from '../ui/offline-badge.tsx';
import { ListSkeleton } from '../ui/page.tsx';
import { rich } from '../ui/rich.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { AppLink } from './app-link.tsx';
import { paths } from './paths.ts';

const NOTHING = { busy: [], failed: [] } as const;
const NOBODY: Readonly<Record<string, string>> = {};
const LIVE_MS = 1_500;

/** The run of a draft below its text: state, person it waits for, output or error, trace. */
export function LiveDraftRun(props: LiveRunProps) {
  const { runId, onProgress } = props;
  useOnScreen(paths.run(runId));
  const query = useRun(runId);
  const run = query.data;
  const facts = useRunFacts(runId);
  const { states } = useSavedStates(runId);
  const [live, setLive] = useState<{
    readonly busy: readonly string[];
    readonly failed: readonly string[];
  }>(NOTHING);
  const isFlow = facts !== undefined && isItemFlow(facts);
  const ways = useItemWays(runId, { isFlow, isOver: run?.is_terminal === true });
  const progress = useProgress(runId, run, live, { ways, answeredBy: facts?.answeredBy });
  useEffect(() => {
    if (progress !== null) {
      onProgress(progress);
    }
  }, [progress, onProgress]);
  useReadAgainFor(run?.status);
  if (query.isError && run === undefined) {
    return <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (run === undefined) {
    return <ListSkeleton rows={3} />;
  }
  return (
    <div className="sw-draft-run-live">
      <div className="sw-draft-run-result">
        <RunHead run={run} states={states} onFollow={props.onFollow} />
        {run.status === 'blocked' && run.continuation_id !== null && (
          <TaskView
            low
            continuationId={run.continuation_id}
            subject={runName(run)}
            onAnswered={runChanged}
          />
        )}
        {run.error !== null && (
          <RunError
            node={run.current_node_id ?? failedNode(progress?.nodes ?? {})}
            error={run.error}
            limit={facts === undefined ? null : limitReached(facts)}
            onNode={props.onNode}
            onPath={props.onPath}
          />
        )}
        <LiveAnswers runId={runId} isLive={run.status === 'running'} />
        {isFlow && (
          <div className="sw-draft-run-items">
            <h3 className="sw-section-title">{t('Items')}</h3>
            <RunItemsView runId={runId} isOver={run.is_terminal} />
          </div>
        )}
        {run.is_terminal && run.error === null && (
          <div data-testid="draft-run-output">
            <h3 className="sw-section-title">{t('Output')}</h3>
            <RunResult text={run.output_text ?? ''} />
          </div>
        )}
      </div>
      <div className="sw-draft-run-trace">
        <TracePanel
          runId={runId}
          node={null}
          onClearNode={() => undefined}
          until={null}
          onLive={setLive}
          onChange={runChanged}
          dropped={droppedText(run)}
          states={states}
          total={run.is_terminal ? run.trace_event_count : null}
          answeredBy={facts?.answeredBy}
        />
      </div>
    </div>
  );
}

function useProgress(
  runId: string,
  run: RunDetail | undefined,
  live: { readonly busy: readonly string[]; readonly failed: readonly string[] },
  marks: {
    readonly ways: ReadonlySet<string> | null;
    readonly answeredBy: Readonly<Record<string, string>> | undefined;
  },
) {
  const { ways, answeredBy } = marks;
  const view = useQuery({
    ...routeQuery(getRunGraph, { params: { run_id: runId } }),
    refetchInterval: (query) =>
      run?.is_terminal === true ? false : paceOfRun(runId, query, LIVE_MS),
  }).data;
  return useMemo(() => {
    if (view === undefined || run === undefined) {
      return null;
    }
    const { status, path, workflow_kind } = run;
    const drawn = drawRun(view, workflow_kind, progressNow(view, { status, path, live }), ways);
    if (drawn === null) return null;
    const { progress: nodes, taken } = drawn;
    return { status, nodes, taken, answeredBy: answeredNodes(drawn, answeredBy ?? NOBODY) };
  }, [view, run, live, ways, answeredBy]);
}

function RunHead(props: {
  readonly run: RunDetail;
  readonly states: readonly SavedState[];
  readonly onFollow: (runId: string) => void;
}) {
  const { run, states } = props;
  const newest = states.at(-1);
  const hindrance = useHindrance('run.control');
  const noStop = useLack('stop') ?? hindrance;
  const noRerun = useLack('rerun') ?? hindrance;
  const [stopping, setStopping] = useState(false);
  const [rerun, setRerun] = useState(false);
  const stop = (): void => {
    setStopping(true);
    call(cancelRun, { params: { run_id: run.run_id } }, { idempotencyKey: crypto.randomUUID() })
      .catch((error: unknown) => notifyError(t('The run was not stopped'), error))
      .finally(() => {
        setStopping(false);
        runChanged();
      });
  };
  return (
    <div className="sw-draft-run-head">
      {run.offline && <OfflineBadge />}
      <span role="status" data-testid="draft-run-status" data-status={run.status}>
        <StatusBadge status={run.status} />
      </span>
      {!run.is_terminal && (
        <Button
          size="compact-xs"
          variant="default"
          loading={stopping}
          onClick={stop}
          disabled={noStop !== undefined}
          title={noStop}
          data-testid="draft-run-stop"
        >
          {t('Stop')}
        </Button>
      )}
      {newest !== undefined && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={noRerun !== undefined}
          title={noRerun ?? t('With the text that this run had')}
          onClick={() => setRerun(true)}
          data-testid="draft-rerun"
        >
          {t('Run again from…')}
        </Button>
      )}
      <AppLink to={paths.run(run.run_id)}>{t('Open in Runs')}</AppLink>
      {rerun && newest !== undefined && (
        <RerunDialog
          run={run}
          states={states}
          sequence={newest.sequence}
          onClose={() => setRerun(false)}
          onStarted={props.onFollow}
        />
      )}
    </div>
  );
}

function failedNode(nodes: DraftRunProgress['nodes']): string | null {
  return Object.entries(nodes).find(([, state]) => state === 'failed')?.[0] ?? null;
}

/** The last name of a place in the document. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function RunError(props: {
  readonly node: string | null;
  readonly error: string;
  /** Place of the limit in the document that the run ended by; null when it ended by none. */
  readonly limit: string | null;
  readonly onNode: (node: string) => void;
  readonly onPath: (path: string) => void;
}) {
  const { node, limit } = props;
  return (
    <div role="alert" data-testid="draft-run-error">
      <h3 className="sw-section-title">
        {rich('Error{value}', { value: node !== null && t(' at {node}', { node }) })}{' '}
        {node !== null && (
          <Button size="compact-xs" variant="default" onClick={() => props.onNode(node)}>
            {t('Show the line')}
          </Button>
        )}{' '}
        {limit !== null && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => props.onPath(limit)}
            data-testid="draft-run-limit"
          >
            {t('Show {last}', { last: lastName(limit) })}
          </Button>
        )}
      </h3>
      <RunText text={props.error} tone="danger" />
    </div>
  );
}
