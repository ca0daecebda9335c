import type { Card } from '../gaps/gap-stream.ts';
import type { Flow } from './flow.ts';

/** Says that nothing starts a flow, at its first step. */
export function noEntryCards(flow: Flow): Card[] {
  const first = flow.graph.nodes.find((node) => flow.steps.has(node.id));
  if (flow.graph.entries.length > 0 || first === undefined) return [];
  const startMayBeUnreadable = flow.graph.entryAbsence === 'unknown';
  const detail = 'The source has no trigger.';
  return [{ ref: first.ref, kind: 'no_entry', detail, startMayBeUnreadable }];
}
