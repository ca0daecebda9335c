import type { RunEvent } from '../../engine/event.ts';
import { isTerminal } from '../../engine/run-status.ts';
import type { RunState } from '../../engine/state.ts';
import { pendingEffects, step } from '../../engine/step.ts';
import { createCallModel } from '../../runtime/models/call-model.ts';
import { createEffectRunner } from '../../runtime/run-effects.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { type BuildProblem, buildRun } from '../specs/build-run.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';
import { createCallHandler } from './call-handler.ts';
import { createCallMcpTool } from './call-mcp-tool.ts';
import { startExecution } from './execution.ts';
import { createRunWriter, type RunWriter } from './run-writer.ts';

/** How a leg ended: settled with its state, refused before it began, or taken over by somebody else. */
export type LegEnd =
  | { readonly kind: 'settled'; readonly state: RunState }
  | { readonly kind: 'unbuildable'; readonly problem: BuildProblem }
  | { readonly kind: 'lost' };

export interface Leg {
  readonly row: RunsTable;
  readonly state: RunState;
  readonly token: string;
  /** What sets the leg off; an empty list takes up the effects that the state waits for. */
  readonly events: readonly RunEvent[];
  /** What a spec that cannot be built means for the run: it fails, or it stays as it is. */
  readonly onUnbuildable: 'fail' | 'keep';
  /** Of a run that is not in the store yet; absent = the run goes on after its row. */
  readonly writer?: RunWriter;
  /** Writes what belongs to the transaction that ends the leg. */
  readonly atEnd?: (state: RunState) => void;
}

function countOutcome(deps: PlatformDeps, before: RunState, after: RunState): void {
  const { metrics } = deps;
  if (after.status === 'completed') metrics.add('runs_completed');
  if (after.status === 'failed' || after.status === 'timed_out') metrics.add('runs_failed');
  const used = (state: RunState) =>
    state.usage ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  metrics.add('tokens_input', Math.max(0, used(after).input_tokens - used(before).input_tokens));
  metrics.add('tokens_output', Math.max(0, used(after).output_tokens - used(before).output_tokens));
  metrics.add('tokens', Math.max(0, used(after).total_tokens - used(before).total_tokens));
}

/** Ends a run from outside the engine's own course, while the token holds it. */
function failHeld(deps: PlatformDeps, leg: Leg, problem: BuildProblem): LegEnd {
  const event: RunEvent = {
    type: 'failed',
    at: deps.clock.now(),
    error: { message: problem.message, type: problem.type },
  };
  const outcome = step(null, leg.state, event);
  const writer = leg.writer ?? createRunWriter(deps, leg.row, { fresh: false });
  writer.add(outcome);
  if (!writer.commit({ token: leg.token }, null)) return { kind: 'lost' };
  deps.metrics.add('runs_failed');
  return { kind: 'unbuildable', problem };
}

const NOT_FROZEN: BuildProblem = {
  type: 'ValueError',
  message: 'The run has no spec of its own.',
  diagnostics: [],
};

/** The run's row while the token still holds it; a run that is not stored yet is nobody else's. */
function heldRow(deps: PlatformDeps, leg: Leg): RunsTable | undefined {
  if (leg.writer?.stored === false) return leg.row;
  const current = deps.runs.find(leg.row.id);
  return current?.execution_token === leg.token ? current : undefined;
}

/**
 * Executes one leg of a run that the token already holds: builds the frozen spec, runs to a terminal
 * or blocked state, counts the outcome.
 */
export async function executeLeg(deps: PlatformDeps, leg: Leg): Promise<LegEnd> {
  const { row, token, state } = leg;
  const frozen = frozenSpecOf(row.created_metadata);
  const built =
    frozen === undefined
      ? ({ ok: false, problem: NOT_FROZEN } as const)
      : await buildRun(deps, frozen, row.strict === 1);
  if (!built.ok) {
    if (leg.onUnbuildable === 'fail') return failHeld(deps, leg, built.problem);
    deps.runs.release(row.id, token);
    return { kind: 'unbuildable', problem: built.problem };
  }
  const current = heldRow(deps, leg);
  if (current === undefined) return { kind: 'lost' };
  deps.metrics.add('runs_started');
  const execution = startExecution(deps, {
    row: current,
    token,
    program: built.program,
    state,
    events: leg.events,
    pending: leg.events.length === 0 ? pendingEffects(state) : [],
    effects: createEffectRunner({
      clock: deps.clock,
      callHandler: createCallHandler(deps),
      callModel: createCallModel(deps.config),
      callMcpTool: createCallMcpTool(deps.mcp, built.spec),
    }),
    writer: leg.writer ?? createRunWriter(deps, current, { fresh: false }),
    atEnd: leg.atEnd,
  });
  const end = await execution.done.catch((error: unknown) => {
    deps.log.error({ run_id: row.id, err: error }, 'a run stopped on an internal error');
    const problem: BuildProblem = {
      type: 'RuntimeError',
      message: 'The run stopped on an internal error.',
      diagnostics: [],
    };
    return failAfterCrash(deps, row.id, token, problem);
  });
  if (end.kind === 'settled' && (isTerminal(end.state.status) || end.state.status === 'blocked')) {
    countOutcome(deps, state, end.state);
  }
  return end;
}

function failAfterCrash(
  deps: PlatformDeps,
  runId: string,
  token: string,
  problem: BuildProblem,
): LegEnd {
  const row = deps.runs.find(runId);
  const state = deps.runStates.find(runId);
  if (row === undefined || state === undefined) return { kind: 'lost' };
  const end = failHeld(deps, { row, state, token, events: [], onUnbuildable: 'fail' }, problem);
  const failed = deps.runStates.find(runId);
  return end.kind === 'lost' || failed === undefined ? end : { kind: 'settled', state: failed };
}
