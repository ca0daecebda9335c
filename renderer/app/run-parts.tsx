import { CheckpointsPanel } from '../features/checkpoints/checkpoints-panel.tsx';
import { TaskView } from '../features/human-tasks/task-view.tsx';
import { RunGraphPanel } from '../features/run-graph/run-graph-panel.tsx';
import type { RunParts } from '../features/runs/run-detail-page.tsx';
import { TracePanel } from '../features/trace/trace-panel.tsx';

/** The page of a run is drawn by five features; they meet here. */
export const RUN_PARTS: RunParts = {
  trace: ({ run, node, onNode, onChange }) => (
    <TracePanel
      runId={run.run_id}
      node={node}
      onClearNode={() => onNode(null)}
      onChange={onChange}
      dropped={run.trace_dropped === true}
    />
  ),
  graph: ({ run, node, onNode }) => <RunGraphPanel run={run} node={node} onNode={onNode} />,
  checkpoints: ({ run }) => <CheckpointsPanel runId={run.run_id} checkpoints={run.checkpoints} />,
  task: ({ run, onChange }) =>
    run.continuation_id === null ? null : (
      <TaskView continuationId={run.continuation_id} onAnswered={onChange} />
    ),
};
