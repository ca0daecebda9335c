import { buildProgram } from '../../server/engine/build-program.ts';
import { createRun } from '../../server/engine/create-run.ts';
import type { Effect } from '../../server/engine/effect.ts';
import type { RunEvent } from '../../server/engine/event.ts';
import { checkTextNow, GUARD_STEPS, patternLook } from '../../server/engine/guard-check.ts';
import { offlineAnswer } from '../../server/engine/offline-model.ts';
import type { Program } from '../../server/engine/program.ts';
import type { RunState } from '../../server/engine/state.ts';
import { step } from '../../server/engine/step.ts';
import { loadSpec } from '../../server/spec/load/load-spec.ts';
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

/**
 * Milliseconds of processor time that an action takes in this thread. Other programs on the machine
 * do not count, nor do V8's helpers, whose waits for one another would.
 */
function processorTime(action: () => unknown): number {
  const before = process.threadCpuUsage();
  action();
  const spent = process.threadCpuUsage(before);
  return (spent.user + spent.system) / 1_000;
}

/**
 * Milliseconds of one step: one sample of so many runs that together have `steps` steps. Their states
 * are kept to the end of the sample: what collections of garbage find alive is then as much, whatever
 * the length of a run.
 */
function stepCost(program: Program, count: number, steps: number): number {
  const kept: RunState[] = [];
  const spent = processorTime(() => {
    for (let done = 0; done < steps; done += count) kept.push(runThrough(program));
  });
  return spent / steps;
}

const STEP = { unit: 'ms CPU of the thread', budget: { atMost: 0.2 } };

async function perStep(type: string, count: number, repeats: number): Promise<Figure> {
  const program = programOf(type, count);
  return measure(SUITE, {
    name: `engine, ${type} of ${count}: one step`,
    ...STEP,
    warmup: 3,
    repeats,
    sample: () => stepCost(program, count, count),
  });
}

const LENGTHS = [100, 1_000, 10_000] as const;

/**
 * Runs of three lengths, and how many times as much one of ten times the steps costs. A sample has
 * the same number of steps whatever the length, and the lengths take turns: a sample of one short
 * run is over between two collections of garbage, a long one pays for several of them, and the
 * machine is another one a second later.
 */
export function growthFigures(
  rounds: number,
  steps: number,
  [tenfold, hundredfold]: readonly [number, number],
): Figure[] {
  const programs = LENGTHS.map((count) => programOf('sequential', count));
  const samples: number[][] = LENGTHS.map(() => []);
  const ratios: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round += 1) {
    const costs = LENGTHS.map((count, i) => {
      const program = programs[i];
      return program === undefined ? Number.NaN : stepCost(program, count, Math.max(count, steps));
    });
    if (round < 0) continue;
    const [hundred = Number.NaN, thousand = Number.NaN, tenThousand = Number.NaN] = costs;
    costs.forEach((cost, i) => void samples[i]?.push(cost));
    ratios[0].push((10 * thousand) / hundred);
    ratios[1].push((10 * tenThousand) / thousand);
  }
  const growth = (times: string, atMost: number) => ({
    name: `engine, cost of ${times}`,
    unit: 'times',
    budget: { atMost },
  });
  return [
    ...LENGTHS.map((count, i) =>
      toFigure(
        SUITE,
        { name: `engine, sequential of ${count}: one step`, ...STEP },
        samples[i] ?? [],
      ),
    ),
    toFigure(SUITE, growth('1,000 steps in those of 100', tenfold), ratios[0]),
    toFigure(SUITE, growth('10,000 steps in those of 1,000', hundredfold), ratios[1]),
  ];
}

/** KiB of state for each step of a run of many steps, as the store writes it. */
export function stateSize(count: number): Figure {
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
  return [
    ...growthFigures(15, 30_000, [11, 12]),
    await perStep('concurrent', 1_000, 15),
    stateSize(10_000),
    ...(await patterns()),
  ];
}
