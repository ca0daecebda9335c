import type { CheckpointDiff, PlatformTestRun, RunGraph } from '../../contract/studio/test-runs.ts';
import { required, requireSameRun } from '../../platform-client/answers.ts';
import { toEdges, toNodes } from '../govern/topology.ts';
import type { DiffAnswer, GraphOfRun, RunAnswer } from '../platform-answers.ts';

/** The platform's own word about a run (studio.md 12). */
export function toPlatformTestRun(answer: RunAnswer, runId: string): PlatformTestRun {
  requireSameRun(answer, runId);
  const { usage } = answer;
  return {
    error: answer.error ?? null,
    output_text: answer.output_text ?? null,
    status: required(answer.status, 'status'),
    usage:
      usage === undefined || usage === null
        ? null
        : {
            input_tokens: usage.input_tokens ?? 0,
            output_tokens: usage.output_tokens ?? 0,
            total_tokens: usage.total_tokens ?? 0,
          },
  };
}

/** A run's topology with its path. */
export function toRunGraph(answer: GraphOfRun, runId: string): RunGraph {
  requireSameRun(answer, runId);
  return {
    run_id: runId,
    status: answer.status ?? null,
    workflow_kind: answer.workflow_kind ?? null,
    start: answer.start ?? null,
    nodes: toNodes(answer.nodes),
    edges: toEdges(answer.edges),
    current: answer.current ?? null,
    visited: [...(answer.visited ?? [])],
    max_steps: answer.max_steps ?? null,
  };
}

function changes(found: DiffAnswer['added']): Record<string, unknown>[] {
  for (const item of found ?? []) required(item.path, 'path');
  return [...(found ?? [])];
}

/** What changed between two checkpoints. */
export function toCheckpointDiff(answer: DiffAnswer, runId: string): CheckpointDiff {
  requireSameRun(answer, runId);
  return {
    run_id: runId,
    added: changes(answer.added),
    changed: changes(answer.changed),
    removed: changes(answer.removed),
    change_count: answer.change_count ?? null,
    from_checkpoint: answer.from_checkpoint ?? null,
    to_checkpoint: answer.to_checkpoint ?? null,
    truncated: answer.truncated ?? null,
  };
}
