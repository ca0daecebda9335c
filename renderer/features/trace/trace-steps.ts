import type { Decided } from '../../data/use-decisions.ts';
import { actorName } from '../../ui/actor-name.ts';
import type { TraceRow } from './trace-model.ts';

/** A saved state, as the page knows it. */
export interface StepState {
  readonly type: string;
  readonly node: string;
  readonly at: string;
}

const ENDED = /^(?:step|node)_(completed|failed)$/;

/**
 * Lines for steps that leave no events, such as functions: what the saved states say of them. A
 * step lasts from the state before it to its own.
 */
export function stepRows(
  rows: readonly TraceRow[],
  states: readonly StepState[],
  kinds: ReadonlyMap<string, string>,
): readonly TraceRow[] {
  const traced = new Set(rows.map(({ node }) => node));
  const depth = rows.some(({ what }) => what === 'workflow') ? 1 : 0;
  const own = states.flatMap((state, at): TraceRow[] => {
    const phase = ENDED.exec(state.type)?.[1];
    if (phase === undefined || state.node === '' || traced.has(state.node)) {
      return [];
    }
    const end = Date.parse(state.at);
    const start = Math.min(end, Date.parse(states[at - 1]?.at ?? state.at));
    return [
      {
        id: `state-${at}`,
        kind: 'node',
        what: kinds.get(state.node) ?? 'step',
        node: state.node,
        state: phase === 'failed' ? 'failed' : 'done',
        start,
        end,
        durationMs: end - start,
        depth,
        input: null,
        output: null,
        error: null,
        offline: false,
        wait: false,
        events: [],
      },
    ];
  });
  return own.length === 0 ? rows : [...rows, ...own].toSorted((a, b) => a.start - b.start);
}

/** Who ended a wait: the first decision that is not older than it. */
export function decisionOf(row: TraceRow, decisions: readonly Decided[]): Decided | undefined {
  return row.wait
    ? decisions
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
        .find(({ at }) => Date.parse(at) >= row.start)
    : undefined;
}

/** "ada: refund". */
export function decidedText({ actor, choice }: Decided): string {
  return `${actorName(actor)}: ${choice}`;
}
