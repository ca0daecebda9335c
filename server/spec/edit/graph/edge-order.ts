import type { JsonObject } from '../../../kernel/json.ts';
import type { Edge } from '../../schema/spec-types.ts';
import type { WrittenCondition } from './operation.ts';

/** A new edge: its ends and what it asks. */
export interface NewEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: WrittenCondition | null;
}

/** A condition as the document has it. */
export function conditionValue(written: WrittenCondition): JsonObject {
  const { type, key, value, case_sensitive, conditions, condition } = written;
  return {
    type,
    ...(key === undefined ? {} : { key }),
    ...(value === undefined ? {} : { value }),
    ...(case_sensitive === undefined ? {} : { case_sensitive }),
    ...(conditions === undefined ? {} : { conditions: conditions.map(conditionValue) }),
    ...(condition === undefined ? {} : { condition: conditionValue(condition) }),
  };
}

/** An edge as the document has it. */
export function edgeValue({ from, to, condition }: NewEdge): JsonObject {
  return condition === null ? { from, to } : { from, to, condition: conditionValue(condition) };
}

/**
 * Where a new edge stands: one with a condition before the edge of its node that is always taken,
 * any other at the end.
 */
export function edgePosition(edges: readonly Edge[], { from, condition }: NewEdge): number {
  if (condition === null) return edges.length;
  const always = edges.findIndex((edge) => edge.from === from && edge.condition === null);
  return always < 0 ? edges.length : always;
}

type Seen = Pick<Edge, 'from' | 'to'> & { readonly condition: unknown };

/** Says which edges of a list are never taken, behind one of their node without a condition. */
function hidden(edges: readonly Seen[]): Map<Seen, Seen> {
  const always = new Map<string, Seen>();
  const found = new Map<Seen, Seen>();
  for (const edge of edges) {
    const before = always.get(edge.from);
    if (before !== undefined) found.set(edge, before);
    else if (edge.condition === null) always.set(edge.from, edge);
  }
  return found;
}

/** What the author should know of edges that are never taken now and were not so before. */
export function hiddenNotes(before: readonly Seen[], after: readonly Seen[]): string[] {
  const known = new Set([...hidden(before).keys()].map(({ from, to }) => `${from}\n${to}`));
  return [...hidden(after)].flatMap(([{ from, to }, first]) =>
    known.has(`${from}\n${to}`)
      ? []
      : [
          `The edge from "${from}" to "${to}" is never taken: the one to "${first.to}" comes first and has no condition.`,
        ],
  );
}
