import { CheckpointsPanel } from '../features/checkpoints/checkpoints-panel.tsx';
import { TaskView } from '../features/human-tasks/task-view.tsx';
import { RunGraphPanel } from '../features/run-graph/run-graph-panel.tsx';
import type { RunParts } from '../features/runs/run-detail-page.tsx';
import { TracePanel } from '../features/trace/trace-panel.tsx';

/** The page of a run is drawn by five features; they meet here. */
export const RUN_PARTS: RunParts = {
  trace: ({ run, node, onNode, states, shown, onLive, onChange }) => (
    <TracePanel
      runId={run.run_id}
      node={node}
      onClearNode={() => onNode(null)}
      until={shown === null ? null : Date.parse(shown.at)}
      onLive={onLive}
      onChange={onChange}
      dropped={run.trace_dropped === true}
      states={states}
      total={run.is_terminal ? run.trace_event_count : null}
    />
  ),
  graph: ({ run, node, onNode, shown, live }) => (
    <RunGraphPanel run={run} node={node} onNode={onNode} shown={shown} live={live} />
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
      <TaskView continuationId={run.continuation_id} onAnswered={onChange} />
    ),
};
