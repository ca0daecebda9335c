import { buildProgram } from '../../server/engine/build-program.ts';
import { createRun } from '../../server/engine/create-run.ts';
import type { Effect } from '../../server/engine/effect.ts';
import type { RunEvent } from '../../server/engine/event.ts';
import { checkTextNow, GUARD_STEPS, patternLook } from '../../server/engine/guard-check.ts';
import { offlineAnswer } from '../../server/engine/offline-model.ts';
import type { Program } from '../../server/engine/program.ts';
import type { RunState } from '../../server/engine/state.ts';
import { step } from '../../server/engine/step.ts';
import { loadSpec } from '../../server/spec/load-spec.ts';
import { type Figure, measure, milliseconds, toFigure } from './harness.ts';

const SUITE = 'spec';
const SETUP = {
  run_id: 'bench',
  target: 'workflow',
  input_text: 'hello',
  environment: null,
  timeout_seconds: null,
  deadline_at: null,
} as const;

function programOf(type: string, count: number): Program {
  const steps = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    kind: 'function',
    ref: 'f',
  }));
  const loaded = loadSpec({
    base: {
      version: 'v1',
      agent: { name: 'root' },
      workflow: { type, [type === 'sequential' ? 'steps' : 'participants']: steps },
      components: { functions: { f: { implementation: 'bench.f' } } },
    },
  });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return buildProgram(loaded.spec);
}

function answerTo(effect: Effect, at: number): RunEvent | undefined {
  if (effect.kind === 'call_function') {
    const result = { kind: 'value', value: `ok ${at}` } as const;
    return { type: 'effect_succeeded', at, effect_id: effect.id, result };
  }
  if (effect.kind !== 'call_model') return undefined;
  const result = { kind: 'model', answer: offlineAnswer(effect) } as const;
  return { type: 'effect_succeeded', at, effect_id: effect.id, result };
}

/** A whole run with every effect answered at once, first asked first. */
function runThrough(program: Program): RunState {
  let outcome = step(program, createRun(SETUP, 'running', 0).state, { type: 'start', at: 1 });
  let waiting: readonly Effect[] = outcome.effects;
  for (let at = 2; waiting.length > 0; ) {
    const asked: Effect[] = [];
    for (const effect of waiting) {
      const event = answerTo(effect, at);
      if (event === undefined) continue;
      at += 1;
      outcome = step(program, outcome.state, event);
      asked.push(...outcome.effects);
    }
    waiting = asked;
  }
  if (outcome.state.status !== 'completed') throw new Error(outcome.state.status);
  return outcome.state;
}

/** Milliseconds of processor time that an action takes: other programs on the machine do not count. */
function processorTime(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1_000;
}

async function perStep(type: string, count: number, repeats: number): Promise<Figure> {
  const program = programOf(type, count);
  return measure(SUITE, {
    name: `engine, ${type} of ${count}: one step`,
    unit: 'ms CPU',
    warmup: 3,
    repeats,
    budget: { atMost: 0.2 },
    sample: () => processorTime(() => runThrough(program)) / count,
  });
}

/** How many times as much a run of ten times the steps costs: the medians of both. */
function growth(short: Figure, long: Figure, times: string, budget: Figure['budget']): Figure {
  const ratio = (10 * long.median) / short.median;
  return toFigure(SUITE, { name: `engine, cost of ${times}`, unit: 'times', budget }, [ratio]);
}

/** KiB of state for each step of a run of many steps, as the store writes it. */
function stateSize(count: number): Figure {
  const state = runThrough(programOf('sequential', count));
  return toFigure(
    SUITE,
    { name: `engine, state of ${count} steps: one step`, unit: 'KiB', budget: { atMost: 1 } },
    [JSON.stringify(state).length / 1024 / count],
  );
}

function searchOf(pattern: string): (text: string) => unknown {
  const looks = [patternLook(pattern)];
  return (text) => checkTextNow(looks, text, GUARD_STEPS);
}

async function patterns(): Promise<Figure[]> {
  const text = 'The quick brown fox, 2026, writes to nobody. '.repeat(100);
  const plain = searchOf('(?i)\\b(?:password|secret)\\s*[:=]\\s*\\S+|sk-[A-Za-z0-9]{16,}');
  const evil = searchOf('^(\\w+\\s?)*$');
  const words = `${'word '.repeat(4_000)}!`;
  return [
    await measure(SUITE, {
      name: 'engine, guardrail pattern over 4,500 characters',
      unit: 'ms',
      warmup: 20,
      repeats: 100,
      sample: () => milliseconds(() => plain(text)),
    }),
    await measure(SUITE, {
      name: 'engine, catastrophic pattern over 20,000 characters',
      unit: 'ms',
      warmup: 1,
      repeats: 10,
      budget: { atMost: 250 },
      sample: () => milliseconds(() => evil(words)),
    }),
  ];
}

/** What the engine adds to a run, beside what effects and the store cost. */
export async function engineBench(): Promise<readonly Figure[]> {
  const hundred = await perStep('sequential', 100, 300);
  const thousand = await perStep('sequential', 1_000, 30);
  const tenThousand = await perStep('sequential', 10_000, 7);
  return [
    hundred,
    thousand,
    tenThousand,
    growth(hundred, thousand, '1,000 steps in those of 100', { atMost: 11 }),
    growth(thousand, tenThousand, '10,000 steps in those of 1,000', null),
    await perStep('concurrent', 1_000, 15),
    stateSize(10_000),
    ...(await patterns()),
  ];
}
