import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import type { Rehearsal } from '../../contract/platform/rehearsals.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import { step } from '../../engine/step.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isStoreBusy } from '../../kernel/store-busy.ts';
import type { CodeTree } from '../../runtime/code-trees.ts';
import { isBuiltIn } from '../../runtime/handler-registry.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import { questionBeyondBudget } from '../budgets/hold-to-budgets.ts';
import type { PlatformDeps } from '../deps.ts';
import { RecordTaken } from '../idempotency/record-taken.ts';
import { type BuildProblem, type BuiltRun, buildRun, TOLD_FINDINGS } from '../specs/build-run.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';
import { createRunWriter, type RunWriter } from '../stored-states/run-writer.ts';
import { createCallTrace } from './call-trace.ts';
import { countOutcome, countTokens } from './count-leg.ts';
import { startExecution } from './execution.ts';
import type { LegBegin } from './handed-over.ts';
import {
  eventOf,
  type HeldRun,
  isAnsweredElsewhere,
  isUnstored,
  type Leg,
  onUnbuildable,
  tailOf,
} from './leg.ts';
import { createLegEffects } from './leg-effects.ts';
import { timedEffects, tracedEffects } from './leg-timings.ts';
import { isLong } from './long-run.ts';
import { type Moment, placeOf } from './place.ts';
import { legAnswer } from './run-outcome.ts';
import { type LegEnd, legOutcome } from './running-leg.ts';
import { tellTakeover } from './takeover.ts';
import { auditTail, writeTail } from './write-tail.ts';

function failureOf(deps: PlatformDeps, { message, type, diagnostics }: BuildProblem) {
  const findings = diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, TOLD_FINDINGS)
    .map(({ code, path }) => ({ code, path }));
  const error = { message, type, ...(findings.length === 0 ? {} : { findings }) };
  return { type: 'failed', at: deps.clock.now(), error } as const;
}

function writerOf(deps: PlatformDeps, leg: Leg, row: RunsTable): RunWriter {
  if (leg.kind === 'new') return leg.writer;
  const rows = leg.kind === 'claimed' ? leg.asked.rows : undefined;
  return createRunWriter(deps, row, { fresh: false, before: leg.state, rows });
}

/** Ends a run from outside the engine's own course, while the token holds it. */
function failHeld(
  deps: PlatformDeps,
  { state, token }: Pick<HeldRun, 'state' | 'token'>,
  writer: RunWriter,
  problem: BuildProblem,
): LegEnd {
  writer.add(step(null, state, failureOf(deps, problem)));
  if (!writer.commit({ token }, null)) return { kind: 'lost' };
  deps.metrics.add('runs_failed');
  return { kind: 'unbuildable', problem };
}

const NOT_FROZEN: BuildProblem = {
  type: 'ValueError',
  message: 'The run has no spec of its own.',
  diagnostics: [],
};

/** A program with the code that it calls. */
type Buildable = Extract<BuiltRun, { ok: true }> & Pick<Built, 'code'>;

async function buildOf(
  deps: PlatformDeps,
  row: RunsTable,
): Promise<Buildable | Extract<BuiltRun, { ok: false }>> {
  const frozen = frozenSpecOf(row.created_metadata);
  if (frozen === undefined) return { ok: false, problem: NOT_FROZEN };
  const { project } = frozen;
  const found =
    row.code_bundle === null ? undefined : await deps.runCode.find(row.code_bundle, project);
  if (found?.ok === false) return { ok: false, problem: { ...found.problem, diagnostics: [] } };
  const code = found?.tree ?? (() => deps.trees.find(project));
  const built = await buildRun(deps, frozen, row.strict === 1, code());
  return built.ok ? { ...built, code } : built;
}

/** A run whose spec cannot be built fails, or is let go of as it is. */
async function endUnbuilt(deps: PlatformDeps, leg: Leg, problem: BuildProblem): Promise<LegEnd> {
  if (onUnbuildable(leg) === 'fail') {
    return deps.commits.turn(() => failHeld(deps, leg, writerOf(deps, leg, leg.row), problem));
  }
  await deps.commits.turn(() => deps.runs.release(leg.row.id, leg.token));
  return { kind: 'unbuildable', problem };
}

/** The run's row while the token still holds it; a run that is not stored yet is nobody else's. */
function heldRow(deps: PlatformDeps, leg: Leg): RunsTable | undefined {
  if (isUnstored(leg)) return leg.row;
  // Just claimed: what happened since is met by the first write.
  if (leg.kind === 'claimed' && leg.row.execution_token === leg.token) return leg.row;
  const current = deps.runs.find(leg.row.id);
  return current?.execution_token === leg.token ? current : undefined;
}

/** Makes and stores the answer of a leg that ends; null for a refusal, or one that nobody here needs. */
function answerAtEnd(deps: PlatformDeps, leg: Leg, state: RunState): RunResult | null {
  const tail = tailOf(leg);
  if (tail === null) return null;
  if (state.status === 'failed' && state.thrown) return null;
  if (isAnsweredElsewhere(leg) && tail.record === null) {
    auditTail(deps, tail, state);
    return null;
  }
  const end: LegEnd = { kind: 'settled', outcome: legOutcome(state), result: null };
  const result = legAnswer(deps, leg.row.id, end);
  writeTail(deps, tail, result, 200);
  return result;
}

/** A new run that takes time: other services see that its key is in use. */
function shareKey({ locks, config }: PlatformDeps, leg: Leg): void {
  const lock = tailOf(leg)?.record?.lock;
  if (lock === undefined || locks.share(lock, config.idempotencyLockTtlSeconds)) return;
  throw new RecordTaken('the key is in use elsewhere');
}

/** True where the next call is one of the project's own code. */
function callsCode({ handlers }: PlatformDeps, effect: PendingEffect | undefined): boolean {
  if (effect?.kind !== 'call_function' && effect?.kind !== 'call_tool') return false;
  const isFlowStep = effect.kind === 'call_function' && effect.flow !== undefined;
  const { implementation } = effect;
  return !isFlowStep && !isBuiltIn(implementation) && handlers.find(implementation) === undefined;
}

/** Waits for a place where somebody waits for the answer. @throws Refusal as SyncPlaces. */
async function admit(deps: PlatformDeps, leg: Leg, effect?: PendingEffect): Promise<void> {
  const tail = tailOf(leg);
  if (tail === null || !isUnstored(leg)) return;
  const caller = tail.audit[0]?.actor ?? null;
  await deps.syncPlaces.enter({ id: leg.row.id, caller, callsCode: callsCode(deps, effect) });
}

interface Built {
  readonly program: Program;
  readonly spec: Spec;
  readonly recording: RecordingChoice;
  readonly rehearsal: Rehearsal;
  readonly project: string | null;
  readonly code: () => CodeTree;
}

/** What sets the leg off; a run beyond a budget that asks begins with a question. */
function heldEvent(deps: PlatformDeps, leg: Leg, program: Program): RunEvent | undefined {
  const event = eventOf(leg);
  if (event?.type !== 'start') return event;
  const workflow = program.root_workflow?.name ?? null;
  const budgets = leg.kind === 'claimed' ? leg.asked.budgets : undefined;
  const hold = questionBeyondBudget(deps, { caller: leg.row.caller, workflow }, budgets);
  return hold === undefined ? event : { ...event, hold };
}

async function execute(deps: PlatformDeps, leg: Leg, current: RunsTable, built: Built) {
  let result: RunResult | null = null;
  const writer = writerOf(deps, leg, current);
  if (leg.kind === 'taken_over' && !tellTakeover(deps, leg, writer, leg.attempt)) {
    return { end: { kind: 'lost' } as const, result };
  }
  const end = await startExecution(deps, {
    row: current,
    token: leg.token,
    program: built.program,
    state: leg.state,
    event: heldEvent(deps, leg, built.program),
    effects: timedEffects(
      deps,
      leg.row,
      tracedEffects(deps, createLegEffects(deps, leg.row.id, built)),
    ),
    writer,
    calls: createCallTrace(deps, leg.row.id, writer.note),
    atFirst: () => shareKey(deps, leg),
    admit: (effect) => admit(deps, leg, effect),
    atEnd: (state) => {
      result = answerAtEnd(deps, leg, state);
      if ('atEnd' in leg) leg.atEnd?.(state);
    },
    placed: placedOf(deps, leg),
  });
  return { end, result };
}

function placedOf(deps: PlatformDeps, { kind }: Leg) {
  const { executionThread: thread } = deps;
  return { kind, hasThread: thread !== undefined, takesAll: thread?.takesAll === true };
}

/** What is sent to the execution thread when a leg begins there instead of here; undefined = it begins here. */
function begunElsewhere(deps: PlatformDeps, leg: Leg, moment: Moment): LegBegin | undefined {
  const event = eventOf(leg);
  if (event === undefined || placeOf(placedOf(deps, leg), moment) === 'here') return undefined;
  return { event, onUnbuildable: onUnbuildable(leg) };
}

/**
 * Executes one leg of a run that the token already holds: builds the frozen spec, runs to a terminal
 * or blocked state, counts the outcome. `place.ts` says what of it executes in the execution thread.
 * @throws RecordTaken when another service answered the same key first, Refusal when a new run finds
 * no place.
 */
export async function executeLeg(deps: PlatformDeps, leg: Leg): Promise<LegEnd> {
  try {
    return await executePlaced(deps, leg);
  } finally {
    deps.syncPlaces.leave(leg.row.id);
  }
}

async function executePlaced(deps: PlatformDeps, leg: Leg): Promise<LegEnd> {
  const { row } = leg;
  const specChars = row.created_metadata.length;
  const unread = begunElsewhere(deps, leg, { before: 'reading', specChars });
  if (unread !== undefined) return beginElsewhere(deps, leg, unread);
  deps.pulse?.enter(row.id);
  const leave = deps.computing.enter(row.id);
  const built = await buildOf(deps, row).finally(leave);
  if (!built.ok) return endUnbuilt(deps, leg, built.problem);
  const current = heldRow(deps, leg);
  if (current === undefined) return { kind: 'lost' };
  const long = isLong(built.program);
  const unbegun = begunElsewhere(deps, leg, { before: 'the first step', long });
  if (unbegun !== undefined) return beginElsewhere(deps, leg, unbegun);
  // A new run counts once it has begun: one that finds no place never did.
  if (leg.kind !== 'moved' && leg.kind !== 'new') deps.metrics.add('runs_started');
  try {
    return await executeHere(deps, leg, current, built);
  } catch (error) {
    return afterCrash(deps, leg, error);
  }
}

async function executeHere(deps: PlatformDeps, leg: Leg, current: RunsTable, built: Built) {
  const { state } = leg;
  const { end, result } = await execute(deps, leg, current, built);
  if (leg.kind === 'new') deps.metrics.add('runs_started');
  if (end.kind === 'lost') return end;
  if (end.kind === 'handed_over') {
    countTokens(deps, state, end.state);
    return await handOver(deps, leg, null);
  }
  countOutcome(deps, state, end.state);
  const settled: LegEnd = { kind: 'settled', outcome: legOutcome(end.state), result };
  return settled;
}

/** True for failures that leave nothing: the request is refused instead. */
function leavesNothing(leg: Leg, error: unknown): boolean {
  if (error instanceof RecordTaken) return true;
  // Nothing of the run is stored: it found no place, or a second try would wait as long again.
  return isUnstored(leg) && (error instanceof Refusal || isStoreBusy(error));
}

/** @throws the error of a run that leaves nothing */
function afterCrash(deps: PlatformDeps, leg: Leg, error: unknown): LegEnd {
  if (leavesNothing(leg, error)) throw error;
  if (leg.kind === 'new') deps.metrics.add('runs_started');
  deps.log.error({ run_id: leg.row.id, err: error }, 'a run stopped on an internal error');
  return failAfterCrash(deps, leg, {
    type: 'RuntimeError',
    message: 'The run stopped on an internal error.',
    diagnostics: [],
  });
}

/** Begins a leg in the execution thread; a new run is stored first, as it was made. */
async function beginElsewhere(deps: PlatformDeps, leg: Leg, begins: LegBegin): Promise<LegEnd> {
  if (leg.kind === 'new' && !leg.writer.stored) {
    await admit(deps, leg);
    const { token, writer } = leg;
    const share = (): void => shareKey(deps, leg);
    const stored = await deps.commits.turn(() => writer.commit({ token }, token, share));
    if (!stored) return { kind: 'lost' };
  }
  return handOver(deps, leg, begins);
}

async function handOver(deps: PlatformDeps, leg: Leg, begins: LegBegin | null): Promise<LegEnd> {
  const { executionThread: thread } = deps;
  const { row, token } = leg;
  if (thread === undefined) throw new TypeError('there is no thread to hand a leg over to');
  const execution = { runId: row.id, token, abandon: () => thread.abandon(row.id) };
  deps.executions.set(row.id, execution);
  try {
    return await thread.execute({ run_id: row.id, token, tail: tailOf(leg), begins });
  } finally {
    if (deps.executions.get(row.id) === execution) deps.executions.delete(row.id);
  }
}

/** A fresh run that fails before it was stored is stored as failed, so that it can be found. */
function failAfterCrash(deps: PlatformDeps, leg: Leg, problem: BuildProblem): LegEnd {
  const { token } = leg;
  const stored = deps.runs.find(leg.row.id);
  const made = isUnstored(leg) ? leg : undefined;
  const row = stored ?? made?.row;
  const state = (stored && deps.runStates.findOf(stored)) ?? made?.state;
  if (row === undefined || state === undefined) return { kind: 'lost' };
  const end = failHeld(deps, { state, token }, writerOf(deps, leg, row), problem);
  if (end.kind === 'lost') return end;
  const { error } = failureOf(deps, problem);
  return { kind: 'settled', outcome: { status: 'failed', thrown: true, error }, result: null };
}
