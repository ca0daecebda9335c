import { EMPTY, takeFirst, withFirst, withLast } from './deque.ts';
import { type FlowEdge, type FlowShape, stepsBefore } from './flow-shape.ts';
import type { Arrival, FlowSource, FlowState, WaitingStep } from './flow-state.ts';
import { joinEnded, takeJoin } from './join-order.ts';

/** The step that begins takes the flow's own items. */
export function beginFlow(start: string): { state: FlowState; next: Arrival } {
  return {
    state: { line: EMPTY, waiting: [], ran: [] },
    next: { step: start, sources: [] },
  };
}

function lineUp(shape: FlowShape, state: FlowState, arrival: Arrival): FlowState {
  const add = shape.order === 'v1' ? withFirst : withLast;
  return { ...state, line: add(state.line, arrival) };
}

/** Takes what came first on each input for one run of the step. */
function takeRun(state: FlowState, waiting: WaitingStep): { state: FlowState; next: Arrival } {
  const taken = waiting.came.map(takeFirst);
  const came = taken.map((one) => one?.rest ?? EMPTY);
  const rest = came.every(({ length }) => length === 0)
    ? state.waiting.filter(({ step }) => step !== waiting.step)
    : state.waiting.map((one) => (one.step === waiting.step ? { ...one, came } : one));
  return {
    state: { ...state, waiting: rest },
    next: { step: waiting.step, sources: taken.map((one) => one?.first ?? null) },
  };
}

function noted(state: FlowState, { to, input }: FlowEdge, source: FlowSource, inputs: number) {
  const before = state.waiting.find(({ step }) => step === to);
  const came = Array.from({ length: inputs }, (_, at) => {
    const line = before?.came[at] ?? EMPTY;
    return at === input ? withLast(line, source) : line;
  });
  const now: WaitingStep = { step: to, came };
  const waiting =
    before === undefined
      ? [...state.waiting, now]
      : state.waiting.map((one) => (one === before ? now : one));
  return { now, state: { ...state, waiting } };
}

function arrive(shape: FlowShape, state: FlowState, edge: FlowEdge, source: FlowSource): FlowState {
  const step = shape.steps.get(edge.to);
  if (step === undefined) return state;
  if (step.waits === 'none') return lineUp(shape, state, { step: edge.to, sources: [source] });
  const { now, state: waits } = noted(state, edge, source, step.inputs);
  if (now.came.some(({ length }) => length === 0)) return waits;
  const { state: left, next } = takeRun(waits, now);
  return lineUp(shape, left, next);
}

/**
 * The step that must be forced to run so that the feeder of a waiting step runs: the first on the
 * way to it that did not run. Undefined when the feeder ran, or will run by itself.
 */
function stepToForce(shape: FlowShape, state: FlowState, feeder: string): string | undefined {
  const comes = new Set([
    ...state.line.flat().map(({ step }) => step),
    ...state.waiting.map(({ step }) => step),
  ]);
  const seen = new Set<string>();
  let at: string | undefined = feeder;
  let first: string | undefined;
  while (at !== undefined && !seen.has(at) && !state.ran.includes(at)) {
    if (comes.has(at)) return undefined;
    seen.add(at);
    first = at;
    const before: string[] = (shape.edgesTo.get(at) ?? []).map(({ from }) => from);
    if (before.some((step) => comes.has(step))) return undefined;
    at = before.find((step) => !state.ran.includes(step));
  }
  return first;
}

/** `v0` runs what feeds a waiting step even where no items lead there. */
function forceFeeders(shape: FlowShape, state: FlowState, to: string, asked: FlowSource) {
  return (shape.edgesTo.get(to) ?? []).reduce((from, edge) => {
    const step = stepToForce(shape, from, edge.from);
    if (step === undefined) return from;
    return lineUp(shape, from, { step, sources: [asked], forced: true });
  }, state);
}

/**
 * A step ended: what it gave lines up the steps behind it.
 *
 * @param run Number of this run of the step, from 0.
 * @param counts How many items each output gave; null for one that gave nothing at all.
 * @param follows What else must hold for an edge.
 */
export function stepEnded(
  shape: FlowShape,
  state: FlowState,
  ended: Arrival,
  run: number,
  counts: readonly (number | null)[],
  follows: (edge: FlowEdge) => boolean = () => true,
): FlowState {
  const { step } = ended;
  const filled = (shape.edgesFrom.get(step) ?? []).filter(
    (edge) => (counts[edge.output] ?? 0) > 0 && follows(edge),
  );
  const follow = (from: FlowState, edge: FlowEdge) =>
    arrive(shape, from, edge, { step, output: edge.output, run });
  if (shape.order === 'dify') {
    return joinEnded(shape, state, { ended, run, filled: new Set(filled) });
  }
  if (shape.order === 'v1') return filled.reduceRight(follow, state);
  const ran = state.ran.includes(step) ? state.ran : [...state.ran, step];
  const followed = filled.reduce(follow, { ...state, ran });
  const reached = new Set(filled.map(({ to }) => to));
  const asked = { step, output: 0, run };
  return followed.waiting
    .filter((one) => reached.has(one.step))
    .reduce((from, one) => forceFeeders(shape, from, one.step, asked), followed);
}

/** Whether a step that waits runs with what it has, now that nothing else runs. */
function runsWithLess(shape: FlowShape, state: FlowState, { step, came }: WaitingStep): boolean {
  const waits = shape.steps.get(step)?.waits ?? 'none';
  if (typeof waits !== 'string' && waits.some((input) => came[input]?.length === 0)) return false;
  if (state.waiting.length === 1) return true;
  const before = stepsBefore(shape, step);
  return !state.waiting.some((other) => other.step !== step && before.has(other.step));
}

/** Every step that is still to run, as far as it is known. */
export function stepsAhead({ line, waiting, joins = {} }: FlowState): string[] {
  return [...[...line.flat(), ...waiting].map(({ step }) => step), ...Object.keys(joins)];
}

/** Takes whoever runs next; null when the flow is over. */
export function nextArrival(
  shape: FlowShape,
  state: FlowState,
): { state: FlowState; next: Arrival } | null {
  const taken = takeFirst(state.line);
  if (taken !== undefined) return { state: { ...state, line: taken.rest }, next: taken.first };
  const joined = takeJoin(shape, state);
  if (joined !== null) return joined;
  const waiting = state.waiting.find((one) => runsWithLess(shape, state, one));
  return waiting === undefined ? null : takeRun(state, waiting);
}
