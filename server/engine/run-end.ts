import type { RunStatus } from '../contract/platform/run-status.ts';
import type { JsonObject } from '../kernel/json.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { itemsOf } from './append-list.ts';
import { errorJson, type Failure, type RunError, toRunError } from './failure.ts';
import { resultIn } from './frame-value.ts';
import { closeResumedLeg } from './leg.ts';
import { seqValues } from './seq-map.ts';
import type { Frame, Outcome, StepResult } from './state.ts';
import type { Turn } from './turn.ts';
import { restartAt } from './workflow.ts';

const CAPPED: RunError = {
  message: 'Run stopped after reaching max iterations.',
  type: 'max_iterations',
};

function finish(turn: Turn, status: RunStatus): void {
  turn.run.status = status;
  turn.run.completed_at = turn.at;
  turn.effects.push({ kind: 'finish', status });
}

/** The root frame of the run ended. */
export function runEnded(turn: Turn, outcome: Outcome): void {
  if (!outcome.ok) runFailed(turn, outcome.error);
  else runGave(turn, resultIn(outcome.value));
}

function runGave(turn: Turn, result: StepResult): void {
  const from = turn.run.resumed_from;
  turn.run.messages = result.messages === null ? [] : itemsOf(result.messages);
  turn.run.output_text = result.text;
  turn.run.error = result.capped ? CAPPED : null;
  turn.run.result = {
    ...result.metadata,
    ...(from === null ? {} : { resumed_from_continuation_id: from }),
  };
  finish(turn, result.capped ? 'failed' : 'completed');
  closeResumedLeg(turn, null);
  if (!result.capped) turn.checkpoint('run_completed', { output_text: result.text });
}

function runFailed(turn: Turn, error: Failure): void {
  turn.run.error = toRunError(error);
  turn.run.thrown = true;
  finish(turn, 'failed');
  closeResumedLeg(turn, null);
  turn.checkpoint('run_failed', { error: errorJson(toRunError(error)) });
}

/** Where the run stands, so that continue finds its way after an end from outside. */
function rememberPlace(turn: Turn): void {
  const frames: Frame[] = [...seqValues(turn.run.frames)];
  const root = frames.find((frame) => frame.parent === null);
  if (root?.kind !== 'workflow') return;
  const child = frames.find((frame) => frame.parent === root.id);
  if (child?.kind !== 'step') return;
  const type = turn.run.workflow_type;
  const shape = type === 'sequential' || type === 'graph' ? type : 'concurrent';
  turn.run.restart = restartAt(root, child, shape);
}

/** The platform failed the run: dead letter, spec that does not compile, restart of the service. */
export function failFromOutside(turn: Turn, error: RunError, more: JsonObject): void {
  rememberPlace(turn);
  turn.dropAll();
  turn.run.pause = null;
  turn.run.error = error;
  turn.run.thrown = true;
  finish(turn, 'failed');
  turn.checkpoint('run_failed', { error: errorJson(error), ...more });
}

/** Cancel of a run that has not ended (platform.md 6.2). */
export function cancelRun(turn: Turn, reason: string | undefined, requested: boolean): void {
  const message = reason ?? 'Run cancellation requested.';
  turn.dropAll();
  turn.run.pause = null;
  turn.run.error = { message, type: 'cancelled' };
  turn.run.result = { ...turn.run.result, cancelled: true };
  finish(turn, 'cancelled');
  turn.checkpoint('run_cancelled', {
    reason: message,
    ...(requested ? { requested: true } : {}),
  });
}

/** The wall-clock deadline passed (platform.md 6.2, 6.3). */
export function timeOutRun(turn: Turn): void {
  const { timeout_seconds, deadline_at } = turn.run.setup;
  const message = `Run exceeded its ${timeout_seconds ?? 0}s timeout.`;
  const before = turn.run.status;
  turn.dropAll();
  turn.run.pause = null;
  turn.run.error = { message, type: 'run_timed_out' };
  finish(turn, 'timed_out');
  turn.checkpoint('run_timed_out', {
    reason: message,
    deadline_at,
    timed_out_at: toTimestamp(turn.at),
    status_at_timeout: before,
  });
}

/** A human task expired with on_timeout fail: no checkpoint (golden data). */
export function expireRun(turn: Turn, seconds: number | null): void {
  turn.dropAll();
  turn.run.pause = null;
  turn.run.error = {
    message: `Human task did not complete within ${seconds}s timeout.`,
    type: 'human_task_expired',
  };
  finish(turn, 'expired');
}
