import { t } from '../../../preload/texts/t.ts';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';

/** What a run used in all, as its page has it. */
export interface RunUse {
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly currency: string;
}

/** What the model calls of one node used. */
export interface NodeUse {
  readonly node: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly total: number;
  /** Its share of what the run cost, by its tokens; null without a price. */
  readonly cost: number | null;
}

/** Use by node, the largest first, and how much of the run's use it explains. */
export interface UseByNode {
  readonly nodes: readonly NodeUse[];
  readonly told: number;
  /** Tokens of the whole run; null when the run told none. */
  readonly total: number | null;
}

/** Spans whose calls of models tell their tokens themselves: they are not counted twice. */
function toldInside(events: readonly TraceEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ called, tokens, parent_span_id: around }) =>
      called === undefined || tokens === undefined || around === null ? [] : [around],
    ),
  );
}

/** Shares a run's use out over the nodes whose calls told their tokens. */
export function nodeUse(events: readonly TraceEvent[], run: RunUse | null): UseByNode {
  const sums = new Map<string, Omit<NodeUse, 'cost'>>();
  const inside = toldInside(events);
  for (const { node, tokens, called, span_id } of events) {
    const again = called === undefined && span_id !== null && inside.has(span_id);
    if (tokens !== undefined && !again) {
      const sum = sums.get(node) ?? { node, calls: 0, input: 0, output: 0, total: 0 };
      sums.set(node, {
        node,
        calls: sum.calls + 1,
        input: sum.input + tokens.input,
        output: sum.output + tokens.output,
        total: sum.total + tokens.total,
      });
    }
  }
  const total = run?.total_tokens ?? null;
  const cost = run?.cost_usd ?? null;
  const rate = cost === null || total === null || total <= 0 ? null : cost / total;
  const nodes = [...sums.values()]
    .map((sum) => ({ ...sum, cost: rate === null ? null : sum.total * rate }))
    .toSorted((a, b) => b.total - a.total);
  return { nodes, told: nodes.reduce((sum, each) => sum + each.total, 0), total };
}

/** Says what of the run's tokens the nodes explain, and what the cost is made of. */
export function coverageText({ told, total }: UseByNode, run: RunUse | null): string {
  const of =
    total === null || told >= total
      ? t('All {told} tokens of the run stand in its trace.', { told })
      : t(
          '{told} of {total} tokens stand in the trace; calls that failed or were dropped told none.',
          { told, total },
        );
  return run?.cost_usd == null
    ? t('{of} No price is set, so nothing has a cost.', { of })
    : t('{of} Costs are approximate: the run’s own, shared out by tokens.', { of });
}
