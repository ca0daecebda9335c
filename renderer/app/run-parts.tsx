import type { ComponentProps, ReactNode } from 'react';
import type { RunDetail } from '../../server/contract/dashboard/runs.ts';
import { runName } from '../data/run-name.ts';
import { CheckpointsPanel } from '../features/checkpoints/checkpoints-panel.tsx';
import { TaskView } from '../features/human-tasks/task-view.tsx';
import { RunGraphPanel } from '../features/run-graph/run-graph-panel.tsx';
import type { RunPartProps, RunParts } from '../features/runs/run-detail-page.tsx';
import { isItemFlow } from '../features/runs/run-facts.ts';
import { droppedText } from '../features/runs/run-model.ts';
import { useRunFacts, useRunUsage } from '../features/runs/run-queries.ts';
import { runViewPath } from '../features/runs/run-view-model.ts';
import { useItemWays } from '../features/runs/use-run-items.ts';
import { TracePanel } from '../features/trace/trace-panel.tsx';
import { useBeside } from '../features/trace/use-timeline.ts';
import { navigateTo } from './navigation.ts';

const NOBODY: Readonly<Record<string, string>> = {};

function Timeline(props: RunPartProps) {
  const { run, states, shown, onNode, onEvent, onShow } = props;
  const beside = useBeside(run.run_id, states, run.status);
  // What the platform counted by step stands above; the trace sums it up where it does not.
  const { isUnknown } = useRunUsage(run);
  return (
    <TracePanel
      runId={run.run_id}
      node={props.node}
      onClearNode={() => onNode(null)}
      until={shown === null ? null : Date.parse(shown.at)}
      onLive={props.onLive}
      onChange={props.onChange}
      dropped={droppedText(run)}
      states={states}
      total={run.is_terminal ? run.trace_event_count : null}
      answeredBy={useRunFacts(run.run_id)?.answeredBy}
      beside={beside}
      used={isUnknown ? run.usage : undefined}
      chosen={{ id: props.event, onChoose: onEvent, slot: props.slot }}
      onShow={onShow}
    />
  );
}

function RunPath(props: Omit<ComponentProps<typeof RunGraphPanel>, 'ways' | 'answeredBy'>) {
  const { run, shown } = props;
  const facts = useRunFacts(run.run_id);
  const ways = useItemWays(run.run_id, {
    isFlow: facts !== undefined && isItemFlow(facts),
    isOver: run.is_terminal,
    steps: shown?.visited.length,
  });
  return <RunGraphPanel {...props} ways={ways} answeredBy={facts?.answeredBy ?? NOBODY} />;
}

/** The page of a run is drawn by five features; they meet here. */
export const RUN_PARTS: RunParts = {
  trace: (props) => <Timeline {...props} />,
  graph: ({ run, node, onNode, shown, live }) => (
    <RunPath run={run} node={node} onNode={onNode} shown={shown} live={live} />
  ),
  checkpoints: ({ run, states, shown, onShow, onRerun }) => (
    <CheckpointsPanel
      runId={run.run_id}
      states={states}
      shown={shown?.sequence ?? null}
      onShow={onShow}
      onRerun={onRerun}
    />
  ),
  task: ({ run, onChange }) =>
    run.continuation_id === null ? null : (
      <TaskView continuationId={run.continuation_id} subject={runName(run)} onAnswered={onChange} />
    ),
};

const NOTHING_LIVE = { busy: [], failed: [] };

/** The path of a run beside what is asked of it; a click on a step leads to the run's page. */
export function drawRunOfTask(run: RunDetail): ReactNode {
  return (
    <RunPath
      run={run}
      node={null}
      onNode={(node) => navigateTo(runViewPath(run.run_id, { node: node ?? undefined }))}
      shown={null}
      live={NOTHING_LIVE}
    />
  );
}
