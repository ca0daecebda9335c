import type { Program } from '../program.ts';
import { type SeqMap, seqValues, setSeq } from '../seq-map.ts';
import type { StepCount } from '../state.ts';

function countersOf(program: Program): ReadonlyMap<string, number> {
  const all = [
    ...Object.values(program.workflows),
    ...(program.root_workflow === null ? [] : [program.root_workflow]),
  ];
  return new Map(
    all.flatMap(({ shape, steps }) =>
      [...steps.values()].map(
        ({ key, counter }) => [shape === 'graph' ? `|${key}` : `${key}|`, counter] as const,
      ),
    ),
  );
}

/** The counts of step ends under the counters of a program; those of steps that it lacks come after. */
export function countsUnder(program: Program, counts: SeqMap<StepCount>): SeqMap<StepCount> {
  const counters = countersOf(program);
  let next = Math.max(-1, ...counters.values()) + 1;
  let moved: SeqMap<StepCount> = {};
  for (const count of seqValues(counts)) {
    moved = setSeq(moved, counters.get(count.key) ?? next++, count);
  }
  return moved;
}
