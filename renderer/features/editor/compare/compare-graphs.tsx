import { useMemo } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { GraphCanvas, type GraphMark } from '../../../graph/graph-canvas.tsx';
import type { GraphModel } from '../../../graph/graph-model.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { ComparedGraph, NodeChange, TextComparison } from './compare-model.ts';

const WORDS: Readonly<Record<NodeChange, string>> = {
  added: '+ added',
  removed: '− removed',
  changed: '± changed',
};
/** What a rounded node takes from its words on both sides. */
const ROOM = '    ';
const TONES: Readonly<Record<NodeChange, GraphMark['tone']>> = {
  added: 'success',
  removed: 'danger',
  changed: 'warning',
};

/** Both texts as they are drawn, with a word on each node that differs. */
export function CompareGraphs(props: {
  readonly comparison: TextComparison;
  readonly labels: readonly [string, string];
}) {
  const { comparison, labels } = props;
  return (
    <div className="sw-compare-graphs" data-testid="compare-graphs">
      <OneGraph side={comparison.left} label={labels[0]} />
      <OneGraph side={comparison.right} label={labels[1]} />
    </div>
  );
}

function OneGraph(props: { readonly side: ComparedGraph | null; readonly label: string }) {
  const { side, label } = props;
  const nodes = side?.nodes;
  const drawn = useMemo(() => (side === null ? null : withWords(side)), [side]);
  const marks = useMemo(
    () =>
      Object.fromEntries(Object.entries(nodes ?? {}).map(([id, change]) => [id, markOf(change)])),
    [nodes],
  );
  const notes = useMemo(
    () =>
      Object.fromEntries(Object.entries(nodes ?? {}).map(([id, change]) => [id, WORDS[change]])),
    [nodes],
  );
  return (
    <section className="sw-compare-graph" aria-label={label}>
      <h3>{label}</h3>
      {side === null ? (
        <EmptyState compact title={t('No workflow to draw')}>
          {t('One agent answers by itself.')}
        </EmptyState>
      ) : (
        <GraphCanvas
          graph={drawn}
          label={t('Graph: {label}', { label })}
          marks={marks}
          notes={notes}
          compact
        />
      )}
    </section>
  );
}

/** Nodes are as wide as the words that stand in them. */
function withWords({ graph, nodes }: ComparedGraph): GraphModel {
  const worded = graph.nodes.map((node) => {
    const change = nodes[node.id];
    return change === undefined ? node : { ...node, detail: WORDS[change] + ROOM };
  });
  return { ...graph, nodes: worded };
}

function markOf(change: NodeChange): GraphMark {
  return { tone: TONES[change], text: WORDS[change] };
}
