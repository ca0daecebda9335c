import { diffIndices } from 'node-diff3';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { durationText } from '../../ui/relative-time.ts';
import { statusText } from '../../ui/status-badge.tsx';
import type { RunFacts } from './run-facts.ts';
import { runDuration, usageText } from './run-model.ts';
import type { SavedState } from './run-timeline.ts';

/** What is known of one of two runs. */
export interface ComparedRun {
  readonly run: RunDetail;
  readonly facts: RunFacts;
  readonly states: readonly SavedState[];
}

export interface FactPair {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly differs: boolean;
  /** By how much the right one is more (+) or less (−), where that can be said. */
  readonly delta?: string;
}

/** How long a step took; `kept` where a fork took it over without running it again. */
export type StepTime = number | 'kept';

/** One step of either run; null where that run did not come there. */
export interface StepPair {
  readonly node: string;
  readonly leftMs: StepTime | null;
  readonly rightMs: StepTime | null;
}

interface Step {
  readonly node: string;
  readonly ms: StepTime;
}

function msOf(run: RunDetail): number | null {
  return run.is_terminal ? runDuration(run, 0) : null;
}

function durationOf(run: RunDetail): string {
  const ms = msOf(run);
  return ms === null ? '' : durationText(ms);
}

function costOf({ usage }: RunDetail): string | null {
  return usage === null || usage.cost_usd === null
    ? null
    : `${usage.cost_approximate ? '≈ ' : ''}${usage.cost_usd} ${usage.currency}`;
}

/** What of two runs can be subtracted, and how a difference is written. */
const MEASURES: Readonly<
  Record<string, { of(run: RunDetail): number | null; text(size: number): string }>
> = {
  Took: { of: msOf, text: durationText },
  Cost: {
    of: ({ usage }) => usage?.cost_usd ?? null,
    text: (size) => size.toLocaleString(locale(), { maximumFractionDigits: 6 }),
  },
  Tokens: {
    of: ({ usage }) => usage?.total_tokens ?? null,
    text: (size) => size.toLocaleString(locale()),
  },
};

function deltaOf(name: string, left: RunDetail, right: RunDetail): { delta?: string } {
  const measure = MEASURES[name];
  const [own, other] = [measure?.of(left) ?? null, measure?.of(right) ?? null];
  if (measure === undefined || own === null || other === null || own === other) {
    return {};
  }
  return { delta: `${other > own ? '+' : '−'}${measure.text(Math.abs(other - own))}` };
}

function withoutCost(usage: RunDetail['usage']): RunDetail['usage'] {
  return usage === null ? null : { ...usage, cost_usd: null };
}

const FACTS: readonly (readonly [name: string, value: (side: ComparedRun) => string | null])[] = [
  [t('Status'), ({ run }) => statusText(run.status)],
  [t('Workflow'), ({ run }) => run.workflow_name],
  [t('Kind'), ({ facts }) => facts.workflowType],
  [t('Agent'), ({ run }) => run.agent_name],
  [t('Spec'), ({ facts }) => facts.specPath],
  [t('Environment'), ({ facts }) => facts.environment],
  [t('Took'), ({ run }) => durationOf(run)],
  [t('Cost'), ({ run }) => costOf(run)],
  [t('Tokens'), ({ run }) => usageText({ ...run, usage: withoutCost(run.usage) }) ?? null],
  [t('Stand-in for the model'), ({ facts }) => facts.modelWarning],
  [
    t('Recording'),
    ({ facts }) => facts.recording && `${facts.recording.mode} ${facts.recording.name}`,
  ],
  [t('Error'), ({ run }) => run.error],
];

/** The facts of two runs beside each other; a fact that is missing in both is left out. */
export function factPairs(left: ComparedRun, right: ComparedRun): readonly FactPair[] {
  return FACTS.map(([name, value]) => {
    const [own, other] = [value(left) ?? '', value(right) ?? ''];
    return {
      name,
      left: own,
      right: other,
      differs: own !== other,
      ...deltaOf(name, left.run, right.run),
    };
  }).filter((pair) => pair.left !== '' || pair.right !== '');
}

const STEP = /^(?:step|node)_(?:completed|failed)$|^human_pause$/;

const ENDED = /_(?:completed|failed)$/;

/** The steps of a run with their times: what the trace says, else the time since the state before. */
function ownSteps({ states, run }: ComparedRun): readonly Step[] {
  const ended = run.trace.filter(({ type, duration_ms }) => ENDED.test(type) && duration_ms > 0);
  const times = Map.groupBy(ended, ({ node }) => node);
  return states.flatMap((state, at) => {
    if (!STEP.test(state.type) || state.node === '') {
      return [];
    }
    const before = states[at - 1] ?? state;
    const since = Math.max(0, Date.parse(state.at) - Date.parse(before.at));
    return [{ node: state.node, ms: times.get(state.node)?.shift()?.duration_ms ?? since }];
  });
}

/**
 * The steps of a run with those that it took over from the run it goes on from: where that run
 * stands beside it, up to the checkpoint; else what its path has before its own steps.
 */
function stepsOf(side: ComparedRun, other: ComparedRun): readonly Step[] {
  const own = ownSteps(side);
  const origin = side.facts.rerunOf;
  if (origin === null) {
    return own;
  }
  const upTo = origin.sequence ?? Number.POSITIVE_INFINITY;
  const before =
    origin.runId === other.run.run_id
      ? ownSteps({ ...other, states: other.states.filter(({ sequence }) => sequence <= upTo) })
      : side.run.path
          .slice(0, Math.max(0, side.run.path.length - own.length))
          .map((node) => ({ node }));
  return [...before.map(({ node }): Step => ({ node, ms: 'kept' })), ...own];
}

/** Two runs with the older one first. */
export function oldestFirst<Side extends Pick<ComparedRun, 'run'>>(
  a: Side,
  b: Side,
): readonly [Side, Side] {
  const [first, second] = [a, b].map(({ run }) => Date.parse(run.created_at ?? ''));
  return (first ?? 0) > (second ?? 0) ? [b, a] : [a, b];
}

/** The steps of two runs in order, those of the same node beside each other where both paths agree. */
export function stepPairs(left: ComparedRun, right: ComparedRun): readonly StepPair[] {
  const own = stepsOf(left, right);
  const other = stepsOf(right, left);
  const pairs: StepPair[] = [];
  let at = 0;
  let beside = 0;
  const bothUntil = (end: number): void => {
    for (; at < end; at += 1, beside += 1) {
      const step = own[at];
      if (step !== undefined) {
        pairs.push({ node: step.node, leftMs: step.ms, rightMs: other[beside]?.ms ?? null });
      }
    }
  };
  const changes = diffIndices(
    own.map(({ node }) => node),
    other.map(({ node }) => node),
  );
  for (const { buffer1, buffer2 } of changes) {
    bothUntil(buffer1[0]);
    for (const { node, ms } of own.slice(at, at + buffer1[1])) {
      pairs.push({ node, leftMs: ms, rightMs: null });
    }
    for (const { node, ms } of other.slice(beside, beside + buffer2[1])) {
      pairs.push({ node, leftMs: null, rightMs: ms });
    }
    at += buffer1[1];
    beside += buffer2[1];
  }
  bothUntil(own.length);
  return pairs;
}

/** Which two runs an address compares; empty where it names none. */
export function readComparison(search: Readonly<Record<string, unknown>>): {
  readonly a: string;
  readonly b: string;
} {
  const textOf = (value: unknown): string =>
    value === undefined || value === null ? '' : String(value);
  return { a: textOf(search['a']), b: textOf(search['b']) };
}
