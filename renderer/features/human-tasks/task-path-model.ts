import { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import type { RunGraphView } from '../../../server/contract/dashboard/runs.ts';
import { toldReader } from '../../../server/contract/told.ts';

/** A step that may follow the answer; `when` is null where nothing but the answer is needed. */
export interface NextStep {
  readonly id: string;
  readonly label: string;
  readonly when: string | null;
}

/** Where a run stands that waits for a person. */
export interface TaskPath {
  /** Steps that have ended, in their order; a loop has one several times. */
  readonly done: readonly string[];
  /** The step that asks; null where the platform names none. */
  readonly asks: string | null;
  /** Undefined where the workflow is of a kind without a graph, so that nobody can say. */
  readonly next: readonly NextStep[] | undefined;
}

const text = z.string();
const readSpec = toldReader(
  z.object({
    frozen_spec: z.object({
      base: z.object({
        workflow: z.object({
          edges: z.array(
            z.object({
              from: text,
              to: text,
              condition: z.object({ type: text, key: text, value: text }),
            }),
          ),
        }),
      }),
    }),
  }),
);

const WORDS: Readonly<Record<string, (value: string) => string>> = {
  output_contains: (value) => t('if the answer contains “{value}”', { value }),
  output_equals: (value) => t('if the answer is “{value}”', { value }),
};

/** The conditions of the edges that leave a step, in words, by the step that they lead to. */
function conditionsFrom(metadata: object, from: string): ReadonlyMap<string, string> {
  const edges = readSpec(metadata).frozen_spec?.base?.workflow?.edges ?? [];
  return new Map(
    edges.flatMap((edge) => {
      const { type, value } = edge.condition ?? {};
      const words = WORDS[type ?? ''];
      return edge.from === from && edge.to && words !== undefined && value != null
        ? [[edge.to, words(value)] as const]
        : [];
    }),
  );
}

/**
 * The way of a run up to the step that asks, and what may follow it. A condition that is not about
 * the answer alone is only said to be one, in the words that the spec has for its edge.
 */
export function taskPath(
  graph: RunGraphView,
  run: { readonly path: readonly string[]; readonly metadata: object },
): TaskPath {
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  const labelOf = (id: string): string => labels.get(id) ?? id;
  const asks = graph.current;
  const done = run.path.at(-1) === asks ? run.path.slice(0, -1) : run.path;
  const way = { done: done.map(labelOf), asks: asks === null ? null : labelOf(asks) };
  if (!graph.available || graph.nodes.length === 0 || asks === null) {
    return { ...way, next: undefined };
  }
  const known = conditionsFrom(run.metadata, asks);
  const next = graph.edges
    .filter(({ source }) => source === asks)
    .map(({ target, label, conditional }): NextStep => {
      const own = label === null ? t('on a condition of its edge') : `if “${label}”`;
      return {
        id: target,
        label: labelOf(target),
        when: conditional ? (known.get(target) ?? own) : null,
      };
    });
  const ends = next.length > 0 && next.every(({ when }) => when !== null);
  // Where no edge matches, a graph is over (contract/spec-v1.md 5).
  return { ...way, next: ends ? [...next, { id: '', label: t('the end'), when: null }] : next };
}
