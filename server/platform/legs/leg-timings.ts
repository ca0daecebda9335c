import type { PendingEffect } from '../../engine/effect.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import type { EffectRunner } from '../../runtime/run-effects.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { TimingName } from '../probes/metrics.ts';

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

/** Measures how long models, tools and the functions of steps take to answer. */
export function timedEffects(
  { metrics }: TimedDeps,
  row: TimedRow,
  runner: EffectRunner,
): EffectRunner {
  return {
    answerNow: (effect) => runner.answerNow(effect),
    async perform(effect, signal, state) {
      const timing = timingOf(effect);
      const begun = performance.now();
      const event = await runner.perform(effect, signal, state);
      if (timing !== undefined) {
        metrics.observe(timing, row.workflow_kind, (performance.now() - begun) / 1000);
      }
      return event;
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(['run_completed', 'run_failed']);

/** Counts the steps that are calls of agents, by what their trace says. */
export function observeSteps(
  { metrics }: TimedDeps,
  row: TimedRow,
  trace: readonly TraceEvent[],
): void {
  for (const { type, metadata } of trace) {
    const took = metadata['duration_ms'];
    if (ENDS.has(type) && typeof took === 'number') {
      metrics.observe('step', row.workflow_kind, took / 1000);
    }
  }
}
