import { withLast } from './deque.ts';
import { type FlowEdge, type FlowShape, stepsBefore } from './flow-shape.ts';
import type { Arrival, FlowSource, FlowState } from './flow-state.ts';

// The order of Dify: a step runs once, when each edge to it is settled and one of them was taken;
// what no edge is taken to is left out, and settles the edges behind it. A step with rounds
// (iteration, loop) runs before each round and after the last one.

interface Ended {
  readonly ended: Arrival;
  readonly run: number;
  /** Edges that are taken. */
  readonly filled: ReadonlySet<FlowEdge>;
}

/** The steps with rounds that a step is a part of, from the inmost one. */
function around(shape: FlowShape, step: string): string[] {
  const out: string[] = [];
  let at = shape.steps.get(step)?.inside;
  while (at !== undefined && !out.includes(at)) {
    out.push(at);
    at = shape.steps.get(at)?.inside;
  }
  return out;
}

function isAhead(state: FlowState, inside: (step: string) => boolean): boolean {
  const joins = Object.entries(state.joins ?? {});
  return (
    state.line.some((part) => part.some(({ step }) => inside(step))) ||
    joins.some(([step, { came }]) => came !== null && inside(step))
  );
}

function withoutJoins(state: FlowState, gone: (step: string) => boolean): FlowState {
  const joins = Object.entries(state.joins ?? {}).filter(([step]) => !gone(step));
  return { ...state, joins: Object.fromEntries(joins) };
}

/** Settles edges one after another; a step that is left out settles those behind it. */
function settle(
  shape: FlowShape,
  state: FlowState,
  edges: readonly FlowEdge[],
  sourceOf: (edge: FlowEdge) => FlowSource | null,
): FlowState {
  const joins = { ...state.joins };
  let { line } = state;
  const open = edges.map((edge) => ({ edge, source: sourceOf(edge) }));
  for (const { edge, source } of open) {
    const { to } = edge;
    const before = joins[to] ?? { open: shape.edgesTo.get(to)?.length ?? 1, came: null };
    const join = { open: before.open - 1, came: before.came ?? source };
    joins[to] = join;
    if (join.open > 0) continue;
    delete joins[to];
    if (join.came !== null) line = withLast(line, { step: to, sources: [join.came] });
    else {
      const behind = shape.edgesFrom.get(to) ?? [];
      open.push(...behind.map((one) => ({ edge: one, source: null })));
    }
  }
  return { ...state, line, joins };
}

/** A round ends when nothing of it is left to run: its step runs again. */
function endRound(shape: FlowShape, state: FlowState, step: string, source: FlowSource): FlowState {
  const [round] = around(shape, step);
  if (round === undefined) return state;
  const inside = (one: string): boolean => around(shape, one).includes(round);
  if (isAhead(state, inside)) return state;
  const over = withoutJoins(state, inside);
  return { ...over, line: withLast(over.line, { step: round, sources: [source] }) };
}

/** A step ended: what it gave settles the edges that leave it. */
export function joinEnded(shape: FlowShape, state: FlowState, of: Ended): FlowState {
  const { ended, run, filled } = of;
  const { step } = ended;
  const leaving = shape.edgesFrom.get(step) ?? [];
  const begins = leaving.some((edge) => isInside(shape, edge) && filled.has(edge));
  const settled = leaving.filter((edge) => isInside(shape, edge) === begins);
  const next = settle(shape, state, settled, (edge) =>
    filled.has(edge) ? { step, output: edge.output, run } : null,
  );
  return begins ? next : endRound(shape, next, step, { step, output: 0, run });
}

/** True for the edge by which a step with rounds begins one. */
function isInside(shape: FlowShape, { from, to }: FlowEdge): boolean {
  return shape.steps.get(to)?.inside === from;
}

/**
 * A step that waits for an edge which nothing will settle, such as that of another trigger: it runs
 * with what came. Null when there is none.
 */
export function takeJoin(
  shape: FlowShape,
  state: FlowState,
): { state: FlowState; next: Arrival } | null {
  const waiting = Object.entries(state.joins ?? {}).filter(([, { came }]) => came !== null);
  const found = waiting.find(([step]) => {
    const ways = stepsBefore(shape, step);
    return waiting.every(([other]) => other === step || !ways.has(other));
  });
  const [step, join] = found ?? waiting[0] ?? [];
  if (step === undefined || join === undefined || join.came === null) return null;
  const next = { step, sources: [join.came] };
  return { state: withoutJoins(state, (one) => one === step), next };
}
