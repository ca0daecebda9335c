import type { PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import { withTrace } from '../../runtime/outbound-trace.ts';
import type { EffectRunner } from '../../runtime/run-effects.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { TimingName, TimingOutcome } from '../probes/metrics.ts';

type TimedDeps = Pick<PlatformDeps, 'metrics'>;
type TimedRow = Pick<RunsTable, 'workflow_kind'>;

function timingOf(effect: PendingEffect): TimingName | undefined {
  switch (effect.kind) {
    case 'call_model':
      return 'model';
    case 'call_function':
      return effect.purpose === 'step' ? 'step' : 'tool';
    case 'call_tool':
    case 'call_mcp_tool':
      return 'tool';
    default:
      return undefined;
  }
}

function outcomeOf(event: RunEvent): TimingOutcome {
  if (event.type !== 'effect_failed') return 'ok';
  return event.error.timed_out === true ? 'timed_out' : 'failed';
}

/** Measures how long models, tools and the functions of steps take to answer. */
export function timedEffects(
  { metrics }: TimedDeps,
  { workflow_kind: kind }: TimedRow,
  runner: EffectRunner,
): EffectRunner {
  return {
    answerNow: (effect) => runner.answerNow(effect),
    async perform(effect, signal, state) {
      const timing = timingOf(effect);
      const begun = performance.now();
      const event = await runner.perform(effect, signal, state);
      if (timing !== undefined) {
        const seconds = (performance.now() - begun) / 1000;
        metrics.observe(timing, { kind, outcome: outcomeOf(event) }, seconds);
      }
      return event;
    },
  };
}

/** Makes spans of calls and tells the outside where they stand; nothing while telemetry is off. */
export function tracedEffects(
  { telemetry }: Pick<PlatformDeps, 'telemetry'>,
  runner: EffectRunner,
): EffectRunner {
  if (telemetry === undefined) return runner;
  return {
    answerNow: (effect) => runner.answerNow(effect),
    async perform(effect, signal, state) {
      const call = telemetry.call(effect, state);
      if (call === undefined) return runner.perform(effect, signal, state);
      const perform = () => runner.perform(effect, signal, state);
      const event = await withTrace(call.headers, perform);
      call.end(event, signal.aborted);
      return event;
    },
  };
}

const ENDS: ReadonlyMap<string, TimingOutcome> = new Map([
  ['run_completed', 'ok'],
  ['run_failed', 'failed'],
]);

/** Counts the steps that are calls of agents, by what their trace says. */
export function observeSteps(
  { metrics }: TimedDeps,
  { workflow_kind: kind }: TimedRow,
  trace: readonly TraceEvent[],
): void {
  for (const { type, metadata } of trace) {
    const outcome = ENDS.get(type);
    const took = metadata['duration_ms'];
    if (outcome !== undefined && typeof took === 'number') {
      metrics.observe('step', { kind, outcome }, took / 1000);
    }
  }
}
