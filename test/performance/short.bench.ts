import { checkTextNow, GUARD_STEPS, patternLook } from '../../server/engine/guard-check.ts';
import { redactText } from '../../server/kernel/redact.ts';
import { validateText } from '../../server/spec/rules/validate.ts';
import { chainText } from './chain-text.ts';
import { growthFigures, stateSize } from './engine.bench.ts';
import { type Figure, toFigure } from './harness.ts';

const SUITE = 'short';

/** Milliseconds of processor time of this thread: other programs and threads do not count. */
function computed(action: () => unknown): number {
  const before = process.threadCpuUsage();
  action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const ROUNDS = 5;
/** The processor time of a thread is told in steps of some milliseconds. */
const REPEATS = 5;

function repeated(action: () => unknown, times: number): () => void {
  return () => {
    for (let i = 0; i < times; i += 1) action();
  };
}

/**
 * How many times as much ten times the work costs. Both are measured in turn, so often that each
 * sample computes about as long; the least of the ratios counts: what disturbs one makes it larger.
 */
function growth(name: string, small: () => unknown, large: () => unknown): Figure {
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const tenSmall = computed(repeated(small, 10 * REPEATS));
    const oneLarge = computed(repeated(large, REPEATS));
    if (round >= 0) ratios.push((10 * oneLarge) / Math.max(1, tenSmall));
  }
  const figure = { name, unit: 'times', budget: { atMost: 40 } };
  return toFigure(SUITE, figure, [Math.min(...ratios)]);
}

function readGrowth(): Figure {
  const [small, large] = [chainText(50, { comments: false }), chainText(500, { comments: false })];
  return growth(
    'spec, ten times the lines: reading and checking them',
    () => validateText(small, 'yaml'),
    () => validateText(large, 'yaml'),
  );
}

function redactGrowth(): Figure {
  const secrets = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) => `password="hunter2-${i}-x" mail${i}@example.org`,
    ).join();
  const [small, large] = [secrets(200), secrets(2000)];
  let turn = 0;
  // Each text is another one: those that were redacted last are known.
  const fresh = (text: string): string => {
    turn += 1;
    return `${text}${turn}`;
  };
  return growth(
    'kernel, ten times the secrets: redacting them',
    () => redactText(fresh(small)),
    () => redactText(fresh(large)),
  );
}

/** Steps that guardrail patterns take, which no machine changes. */
function lookSteps(): Figure[] {
  const steps = (pattern: string, text: string): number =>
    checkTextNow([patternLook(pattern)], text, GUARD_STEPS).steps;
  const words = (count: number): string => `${'word '.repeat(count)}!`;
  const plain = '(?i)\\b(?:password|secret)\\s*[:=]\\s*\\S+|sk-[A-Za-z0-9]{16,}';
  const evil = '^(\\w+\\s?)*$';
  const ratio = steps(evil, words(4000)) / steps(evil, words(400));
  return [
    toFigure(
      SUITE,
      { name: 'engine, a pattern: steps a character', unit: 'steps', budget: { atMost: 40 } },
      [steps(plain, words(900)) / words(900).length],
    ),
    toFigure(
      SUITE,
      {
        name: 'engine, a catastrophic pattern over ten times the text',
        unit: 'times',
        budget: { atMost: 40 },
      },
      [ratio],
    ),
  ];
}

/**
 * What holds on any machine, loaded or not, in well under a minute: counts, sizes, and ratios of what
 * was measured in turn, within four times of what they are.
 */
export async function shortBench(): Promise<readonly Figure[]> {
  return [
    ...growthFigures(3, 10_000, [40, 40]),
    stateSize(2_000),
    ...lookSteps(),
    readGrowth(),
    redactGrowth(),
  ];
}
