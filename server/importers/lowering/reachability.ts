import type { Card } from '../gaps/gap-stream.ts';
import { type Flow, reachedFrom } from './flow.ts';

function noEntry(flow: Flow): Card[] {
  const first = flow.graph.nodes.find((node) => flow.steps.has(node.id));
  if (first === undefined) return [];
  const startMayBeUnreadable = flow.graph.entryAbsence === 'unknown';
  const detail = startMayBeUnreadable
    ? 'No trigger could be read; an element without a counterpart may be the start.'
    : 'The source has no trigger.';
  return [{ ref: first.ref, kind: 'no_entry', detail, startMayBeUnreadable }];
}

function unreachable(flow: Flow, reached: readonly ReadonlySet<string>[]): Card[] {
  return flow.graph.nodes
    .filter((node) => flow.steps.has(node.id) && !reached.some((set) => set.has(node.id)))
    .map((node) => ({
      ref: node.ref,
      kind: 'unreachable_from_entry',
      detail: `No trigger of the source leads to "${node.name}".`,
    }));
}

function divergent(flow: Flow, reached: readonly ReadonlySet<string>[]): Card[] {
  const programs = reached.map((set) =>
    flow.stepOrder.map((id) => (set.has(id) ? '1' : '0')).join(''),
  );
  if (new Set(programs).size < 2) return [];
  return flow.graph.entries.map((entry, index) => {
    const steps = flow.graph.nodes.filter((n) => flow.steps.has(n.id) && reached[index]?.has(n.id));
    const names = steps.map((node) => `"${node.name}"`).join(', ');
    const detail = `"${entry.ref.source_label}" runs ${names === '' ? 'no step' : names}; other triggers run other steps.`;
    return { ref: entry.ref, kind: 'divergent_entry', detail };
  });
}

/** What the triggers do not reach, and where they differ (importers 6.4). */
export function reachabilityCards(flow: Flow): Card[] {
  if (flow.stepOrder.length === 0) return [];
  if (flow.graph.entries.length === 0) return noEntry(flow);
  const reached = flow.graph.entries.map((entry) => reachedFrom(flow, entry.id));
  return [...unreachable(flow, reached), ...divergent(flow, reached)];
}
