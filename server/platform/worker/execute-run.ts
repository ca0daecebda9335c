import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import { pendingEffects, step } from '../../engine/step.ts';
import { isStoreBusy } from '../../http/store-busy.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { Spec } from '../../spec/spec-types.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { legAnswer } from '../runs/run-outcome.ts';
import { type BuildProblem, type BuiltRun, buildRun } from '../specs/build-run.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';
import { LARGE_SPEC } from '../specs/large-spec.ts';
import { startExecution } from './execution.ts';
import type { LegBegin } from './execution-protocol.ts';
import { createLegEffects } from './leg-effects.ts';
import type { LegTail } from './leg-tail.ts';
import { isLong } from './long-run.ts';
import type { PlatformEvent } from './run-rows.ts';
import { createRunWriter, type RunWriter } from './run-writer.ts';
import { type LegEnd, legOutcome } from './running-leg.ts';
import { auditTail, RecordTaken, writeTail } from './write-tail.ts';

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
  /** What the answer leaves in the store; written in the transaction that ends the leg. */
  readonly tail?: LegTail;
  /** True for a leg that began in another thread. */
  readonly goesOn?: boolean;
  /** True when nobody here reads the answer: another thread makes it of what is stored. */
  readonly answeredElsewhere?: boolean;
  /** Of a run taken over from a worker that is gone: which attempt this is. */
  readonly attempt?: number;
  /** Runs in the transaction that ends the leg. */
  readonly atEnd?: () => void;
}

function countTokens({ metrics }: PlatformDeps, before: RunState, after: RunState): void {
  const used = (state: RunState) =>
    state.usage ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  metrics.add('tokens_input', Math.max(0, used(after).input_tokens - used(before).input_tokens));
  metrics.add('tokens_output', Math.max(0, used(after).output_tokens - used(before).output_tokens));
  metrics.add('tokens', Math.max(0, used(after).total_tokens - used(before).total_tokens));
}

function countOutcome(deps: PlatformDeps, before: RunState, after: RunState): void {
  const { metrics } = deps;
  if (after.status === 'completed') metrics.add('runs_completed');
  if (after.status === 'failed' || after.status === 'timed_out') metrics.add('runs_failed');
  countTokens(deps, before, after);
}

function failureOf(deps: PlatformDeps, { message, type }: BuildProblem) {
  return { type: 'failed', at: deps.clock.now(), error: { message, type } } as const;
}

/** Ends a run from outside the engine's own course, while the token holds it. */
function failHeld(deps: PlatformDeps, leg: Leg, problem: BuildProblem): LegEnd {
  const outcome = step(null, leg.state, failureOf(deps, problem));
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

async function buildOf(deps: PlatformDeps, row: RunsTable): Promise<BuiltRun> {
  const frozen = frozenSpecOf(row.created_metadata);
  if (frozen === undefined) return { ok: false, problem: NOT_FROZEN };
  return buildRun(deps, frozen, row.strict === 1);
}

/** A run whose spec cannot be built fails, or is let go of as it is. */
async function endUnbuilt(deps: PlatformDeps, leg: Leg, problem: BuildProblem): Promise<LegEnd> {
  if (leg.onUnbuildable === 'fail') return deps.commits.turn(() => failHeld(deps, leg, problem));
  await deps.commits.turn(() => deps.runs.release(leg.row.id, leg.token));
  return { kind: 'unbuildable', problem };
}

/** The run's row while the token still holds it; a run that is not stored yet is nobody else's. */
function heldRow(deps: PlatformDeps, leg: Leg): RunsTable | undefined {
  if (leg.writer?.stored === false) return leg.row;
  const current = deps.runs.find(leg.row.id);
  return current?.execution_token === leg.token ? current : undefined;
}

/** Makes and stores the answer of a leg that ends; null for a refusal, or one that nobody here needs. */
function answerAtEnd(deps: PlatformDeps, leg: Leg, state: RunState): RunResult | null {
  if (leg.tail === undefined) return null;
  if (state.status === 'failed' && state.thrown) return null;
  if (leg.answeredElsewhere === true && leg.tail.record === null) {
    auditTail(deps, leg.tail, state);
    return null;
  }
  const end: LegEnd = { kind: 'settled', outcome: legOutcome(state), result: null };
  const result = legAnswer(deps, leg.row.id, end);
  writeTail(deps, leg.tail, result, 200);
  return result;
}

/** A new run that takes time: other services see that its key is in use. */
function shareKey({ locks, config }: PlatformDeps, { tail }: Leg): void {
  const lock = tail?.record?.lock;
  if (lock === undefined || locks.share(lock, config.idempotencyLockTtlSeconds)) return;
  throw new RecordTaken('the key is in use elsewhere');
}

/** Tells that a run was taken over and which calls are made once more, because nobody knows their answers. */
function recoveredEvent(deps: PlatformDeps, { state }: Leg, attempt: number): PlatformEvent {
  const repeated = pendingEffects(state).map(({ id, kind }) => ({ id, kind }));
  return {
    type: 'run_recovered',
    run_id: state.setup.run_id,
    event_id: deps.ids.uuid(),
    timestamp: toTimestamp(deps.clock.now()),
    parent_event_id: null,
    span_id: null,
    parent_span_id: null,
    agent_name: state.agent_name,
    workflow_name: state.workflow_name,
    step_id: state.current_step_id ?? state.current_node_id,
    runtime_mode: null,
    model_provider: null,
    model_name: null,
    tool_name: null,
    guardrail_id: null,
    memory_policy: null,
    input_preview: null,
    output_preview: null,
    metadata: { attempt, repeated },
    error: null,
  };
}

/**
 * Tells of a take-over. What will be called again is stored before it is called, so that a second
 * kill cannot hide the first. False when the run is held by another.
 */
function tellTakeover(deps: PlatformDeps, leg: Leg, writer: RunWriter, attempt: number): boolean {
  writer.note(recoveredEvent(deps, leg, attempt));
  if (leg.events.length > 0 || pendingEffects(leg.state).length === 0) return true;
  const nothing = { effects: [], abandoned: [], trace: [], checkpoints: [], points: [] };
  writer.add({ state: leg.state, ...nothing });
  return writer.commit({ token: leg.token }, leg.token);
}

interface Built {
  readonly program: Program;
  readonly spec: Spec;
  readonly recording: RecordingChoice;
  readonly project: string | null;
}

async function execute(deps: PlatformDeps, leg: Leg, current: RunsTable, built: Built) {
  let result: RunResult | null = null;
  const writer = leg.writer ?? createRunWriter(deps, current, { fresh: false });
  if (leg.attempt !== undefined && !tellTakeover(deps, leg, writer, leg.attempt)) {
    return { end: { kind: 'lost' } as const, result };
  }
  const end = await startExecution(deps, {
    row: current,
    token: leg.token,
    program: built.program,
    state: leg.state,
    events: leg.events,
    pending: leg.events.length === 0 ? pendingEffects(leg.state) : [],
    effects: createLegEffects(deps, leg.row.id, built),
    writer,
    atFirst: () => shareKey(deps, leg),
    atEnd: (state) => {
      result = answerAtEnd(deps, leg, state);
      leg.atEnd?.();
    },
    commits: deps.commits,
    handOver: deps.executionThread !== undefined,
  });
  return { end, result };
}

/**
 * Executes one leg of a run that the token already holds: builds the frozen spec, runs to a terminal
 * or blocked state, counts the outcome. Where there is an execution thread, a leg that takes time or
 * needs the outside goes on there.
 * @throws RecordTaken when another service answered the same key first.
 */
export async function executeLeg(deps: PlatformDeps, leg: Leg): Promise<LegEnd> {
  const { row, state } = leg;
  if (isReadElsewhere(deps, leg)) return beginElsewhere(deps, leg);
  deps.pulse?.enter(row.id);
  const leave = deps.computing.enter(row.id);
  const built = await buildOf(deps, row).finally(leave);
  if (!built.ok) return endUnbuilt(deps, leg, built.problem);
  const current = heldRow(deps, leg);
  if (current === undefined) return { kind: 'lost' };
  if (mayBeginElsewhere(deps, leg) && isLong(built.program)) return beginElsewhere(deps, leg);
  if (leg.goesOn !== true) deps.metrics.add('runs_started');
  try {
    const { end, result } = await execute(deps, leg, current, built);
    if (end.kind === 'lost') return end;
    if (end.kind === 'handed_over') {
      countTokens(deps, state, end.state);
      return await handOver(deps, leg);
    }
    countOutcome(deps, state, end.state);
    return { kind: 'settled', outcome: legOutcome(end.state), result };
  } catch (error) {
    if (error instanceof RecordTaken) throw error;
    // Nothing of the run is stored, and a second try would wait as long again.
    if (isStoreBusy(error) && leg.writer?.stored === false) throw error;
    deps.log.error({ run_id: row.id, err: error }, 'a run stopped on an internal error');
    return failAfterCrash(deps, leg, {
      type: 'RuntimeError',
      message: 'The run stopped on an internal error.',
      diagnostics: [],
    });
  }
}

function mayBeginElsewhere(deps: PlatformDeps, { events, atEnd }: Leg): boolean {
  return deps.executionThread !== undefined && events.length > 0 && atEnd === undefined;
}

/** A leg of a run with a large spec, which is read in the execution thread and not here. */
function isReadElsewhere(deps: PlatformDeps, leg: Leg): boolean {
  return mayBeginElsewhere(deps, leg) && leg.row.created_metadata.length > LARGE_SPEC;
}

/** Begins a leg in the execution thread; a new run is stored as it was made before. */
async function beginElsewhere(deps: PlatformDeps, leg: Leg): Promise<LegEnd> {
  const { token, writer, events, onUnbuildable } = leg;
  if (writer?.stored === false) {
    const share = (): void => shareKey(deps, leg);
    const stored = await deps.commits.turn(() => writer.commit({ token }, token, share));
    if (!stored) return { kind: 'lost' };
  }
  return handOver(deps, leg, { events, onUnbuildable });
}

async function handOver(
  deps: PlatformDeps,
  { row, token, tail }: Leg,
  begins: LegBegin | null = null,
): Promise<LegEnd> {
  const { executionThread: thread } = deps;
  if (thread === undefined) throw new TypeError('there is no thread to hand a leg over to');
  const execution = { runId: row.id, token, abandon: () => thread.abandon(row.id) };
  deps.executions.set(row.id, execution);
  try {
    return await thread.execute({ run_id: row.id, token, tail: tail ?? null, begins });
  } finally {
    if (deps.executions.get(row.id) === execution) deps.executions.delete(row.id);
  }
}

/** A fresh run that fails before it was stored is stored as failed, so that it can be found. */
function failAfterCrash(deps: PlatformDeps, leg: Leg, problem: BuildProblem): LegEnd {
  const { id } = leg.row;
  const stored = deps.runs.find(id);
  const unstored = leg.writer?.stored === false ? leg : undefined;
  const row = stored ?? unstored?.row;
  const state = (stored && deps.runStates.findOf(stored)) ?? unstored?.state;
  if (row === undefined || state === undefined) return { kind: 'lost' };
  const end = failHeld(deps, { ...leg, row, state, events: [], onUnbuildable: 'fail' }, problem);
  if (end.kind === 'lost') return end;
  const { error } = failureOf(deps, problem);
  return { kind: 'settled', outcome: { status: 'failed', thrown: true, error }, result: null };
}
