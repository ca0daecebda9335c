import type { ReplayContext } from '../../contract/platform/run-reads.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import { parseObject, parseTexts, redactText } from '../redaction.ts';

type EndedContext = Pick<
  ReplayContext,
  | 'workflow_type'
  | 'completed_steps'
  | 'completed_nodes'
  | 'failed_step'
  | 'failed_node'
  | 'next_step_index'
  | 'resume_input'
>;

/** What a checkpoint tells of the end of its run. */
export interface ToldCheckpoint {
  readonly row: Pick<CheckpointsTable, 'type' | 'sequence' | 'step_id' | 'node_id'>;
  readonly metadata: JsonObject;
}

const COMPLETED: ReadonlySet<string> = new Set(['step_completed', 'node_completed']);

function textIn(metadata: JsonObject | undefined, key: string): string | null {
  const value = metadata?.[key];
  return typeof value === 'string' ? value : null;
}

/** The step or node that ended a failed run: its last one that failed and was not survived. */
function endingFailure(
  failed: ToldCheckpoint | undefined,
  completed: ToldCheckpoint | undefined,
  nodes: readonly string[],
): ToldCheckpoint | undefined {
  if (failed === undefined) return undefined;
  const { node_id, step_id, sequence } = failed.row;
  if (node_id !== null) return nodes.at(-1) === node_id ? undefined : failed;
  const again = completed?.row.step_id === step_id && completed.row.sequence > sequence;
  return again ? undefined : failed;
}

/**
 * What is known of a run whose state is no longer kept, since nothing can take it up again: where it
 * failed, and the text that was under way (contract/platform.md 3.7). `checkpoints` of a failed run
 * tell both.
 */
export function endedContext(row: RunsTable, checkpoints: readonly ToldCheckpoint[]): EndedContext {
  const steps = [...new Set(parseTexts(row.visited_steps))];
  const visitedNodes = parseTexts(row.visited_nodes);
  const isFailed = row.status === 'failed';
  const completed = checkpoints.findLast((item) => COMPLETED.has(item.row.type));
  const lastFailure = checkpoints.findLast((item) => item.row.type === 'step_failed');
  const ending = isFailed ? endingFailure(lastFailure, completed, visitedNodes) : undefined;
  const told = textIn((completed ?? lastFailure)?.metadata, 'workflow_type');
  const result = textIn(parseObject(row.run_metadata), 'workflow_type');
  const under =
    textIn(completed?.metadata, 'output_text') ?? textIn(ending?.metadata, 'input_text');
  const input = isFailed ? (under ?? row.input_text) : row.output_text;
  return {
    workflow_type: isFailed ? told : result,
    completed_steps: steps,
    completed_nodes: [...new Set(visitedNodes)],
    failed_step: ending?.row.step_id ?? null,
    failed_node: ending?.row.node_id ?? null,
    next_step_index: steps.length,
    resume_input: input === null ? null : redactText(input),
  };
}
