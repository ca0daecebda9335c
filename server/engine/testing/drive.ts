import type { Json, JsonObject } from '../../kernel/json.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { createRun } from '../create-run.ts';
import type { Effect, PendingEffect } from '../effect.ts';
import type { HumanDecision, RunEvent } from '../event.ts';
import { checkTextNow, looksOf } from '../guard-check.ts';
import { offlineAnswer } from '../offline-model.ts';
import type { Program } from '../program.ts';
import { type RerunEdits, type RerunRequest, rerunFrom } from '../rerun.ts';
import type { ResumePoint } from '../resume-point.ts';
import type { RunSetup, RunState } from '../state.ts';
import { step } from '../step.ts';
import type { StepOutcome } from '../step-outcome.ts';
import type { TraceEvent } from '../trace.ts';

/** A function or tool of a test: positional arguments in, value out; it may throw. */
export type TestHandler = (...args: readonly Json[]) => Json;
/** Project functions of a test by name. */
export type TestHandlers = Readonly<Record<string, TestHandler>>;

/** A run driven without any I/O: every effect is answered at once, first asked first. */
export interface DrivenRun {
  readonly program: Program;
  readonly events: RunEvent[];
  readonly trace: TraceEvent[];
  readonly checkpoints: Checkpoint[];
  readonly points: ResumePoint[];
  readonly queue: PendingEffect[];
  state: RunState;
}

const START = Date.UTC(2026, 10, 21, 9, 0, 0);

const RUN_ID = '00000000-0000-4000-8000-000000000001';

/** The setup of a test run. */
export function testSetup(input: string, target: 'agent' | 'workflow' = 'workflow'): RunSetup {
  return {
    run_id: RUN_ID,
    target,
    input_text: input,
    environment: null,
    timeout_seconds: null,
    deadline_at: null,
  };
}

/** A created run that has not started. */
export function createdRun(program: Program, setup: RunSetup): DrivenRun {
  return drivenBy(program, createRun(setup, 'running', START));
}

function drivenBy(program: Program, made: StepOutcome): DrivenRun {
  const run: DrivenRun = {
    program,
    events: [],
    trace: [],
    checkpoints: [],
    points: [],
    queue: [],
    state: made.state,
  };
  absorb(run, made);
  return run;
}

/** What a rerun from the checkpoint at an index asks for. */
export function rerunRequest(run: DrivenRun, index: number, edits?: RerunEdits): RerunRequest {
  const row = run.checkpoints[index];
  const point = run.points.find((item) => item.number === row?.point);
  if (row === undefined || point === undefined) throw new Error(`no checkpoint ${index}`);
  const { setup } = run.state;
  return {
    setup: { ...setup, run_id: `${setup.run_id}/${index}` },
    status: 'running',
    at: START,
    origin: {
      run_id: setup.run_id,
      checkpoint_id: row.id,
      checkpoint_sequence: row.sequence,
      checkpoint_type: row.type,
    },
    point: JSON.parse(JSON.stringify(point)),
    ...(edits === undefined ? {} : { edits }),
  };
}

/** A rerun of a run from the checkpoint at an index, not started. */
export function rerunOf(run: DrivenRun, index: number, edits?: RerunEdits): DrivenRun {
  const made = rerunFrom(run.program, rerunRequest(run, index, edits));
  if (!made.ok) throw new Error(`refused: ${made.refusal.field}`);
  return drivenBy(run.program, made.outcome);
}

/** Keeps what an application of an event gives off. */
export function absorb(run: DrivenRun, outcome: StepOutcome): void {
  const gone = new Set(outcome.abandoned);
  const waits = (effect: Effect): effect is PendingEffect =>
    effect.kind !== 'ask_human' && effect.kind !== 'finish';
  run.state = outcome.state;
  run.trace.push(...outcome.trace);
  run.checkpoints.push(...outcome.checkpoints);
  run.points.push(...outcome.points);
  const left = run.queue.filter((effect) => !gone.has(effect.id));
  run.queue.length = 0;
  run.queue.push(...left, ...outcome.effects.filter(waits).filter((item) => !gone.has(item.id)));
}

/** Time of the next event: one millisecond after the one before. */
export function nextTime(run: DrivenRun): number {
  return START + run.events.length + 1;
}

/** Applies one event and keeps what it gives off. */
export function apply(run: DrivenRun, event: RunEvent): StepOutcome {
  const outcome = step(run.program, run.state, event);
  run.events.push(event);
  absorb(run, outcome);
  return outcome;
}

function callHandler(handlers: TestHandlers, name: string, args: readonly Json[]): Json {
  const handler = handlers[name];
  if (handler === undefined) throw new Error(`no handler '${name}'`);
  return handler(...args);
}

/** The event that answers an effect; undefined for a timer, which a test fires itself. */
export function answerTo(
  effect: PendingEffect,
  handlers: TestHandlers,
  at: number,
): RunEvent | undefined {
  const success = (result: (RunEvent & { type: 'effect_succeeded' })['result']): RunEvent => ({
    type: 'effect_succeeded',
    at,
    effect_id: effect.id,
    result,
  });
  try {
    switch (effect.kind) {
      case 'start_timer':
        return undefined;
      case 'call_model':
        return success({ kind: 'model', answer: offlineAnswer(effect) });
      case 'call_function':
        return success({
          kind: 'value',
          value: callHandler(handlers, effect.implementation, effect.args),
        });
      case 'call_tool': {
        const args: JsonObject = effect.arguments;
        return success({
          kind: 'value',
          value: callHandler(handlers, effect.implementation, [args]),
        });
      }
      case 'check_text': {
        const { found, undecided, steps } = checkTextNow(
          looksOf(effect),
          effect.text,
          effect.steps,
        );
        return success({
          kind: 'value',
          value: { found: [...found], undecided: [...undecided], steps },
        });
      }
      case 'call_mcp_tool':
        throw new Error('no MCP server');
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { type: 'effect_failed', at, effect_id: effect.id, error: { message } };
  }
}

/** Answers effects in their order until the run waits for a person, a timer, or has ended. */
export function settle(run: DrivenRun, handlers: TestHandlers, limit = 100_000): DrivenRun {
  for (let turns = 0; turns < limit; turns += 1) {
    const index = run.queue.findIndex((effect) => effect.kind !== 'start_timer');
    const effect = run.queue[index];
    if (effect === undefined) return run;
    run.queue.splice(index, 1);
    const event = answerTo(effect, handlers, nextTime(run));
    if (event !== undefined) apply(run, event);
  }
  throw new Error(`the run still goes on after ${limit} answers`);
}

/** Creates, starts and settles a run. */
export function drive(program: Program, setup: RunSetup, handlers: TestHandlers): DrivenRun {
  const run = createdRun(program, setup);
  apply(run, { type: 'start', at: nextTime(run) });
  return settle(run, handlers);
}

/** Answers the human step and settles the run. */
export function decide(run: DrivenRun, decision: HumanDecision, handlers: TestHandlers): DrivenRun {
  apply(run, { type: 'human_decided', at: nextTime(run), decision });
  return settle(run, handlers);
}
