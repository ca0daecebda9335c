import { t } from '../../preload/texts/t.ts';
import type { GraphModel } from './graph-model.ts';

/** So many steps are told one by one; a larger drawing is read in its outline. */
const TOLD = 30;

/** A drawing in words, for who does not see it: where it starts, and what follows what. */
export function graphWords({ nodes, edges }: GraphModel): string {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const sum = t(
    '{steps, plural, one {# step} other {# steps}}, {edges, plural, one {# edge} other {# edges}}.',
    { steps: nodes.length, edges: edges.length },
  );
  if (nodes.length > TOLD) {
    return sum;
  }
  const starts = nodes.filter(({ start, kind }) => start && kind !== 'mark');
  const begins =
    starts.length === 0
      ? []
      : [t('Starts at {steps}.', { steps: starts.map(({ label }) => label).join(', ') })];
  const follows = nodes.flatMap(({ id, label }) => {
    const next = edges.filter(({ source }) => source === id);
    const goals = next.map((edge) => {
      const goal = labels.get(edge.target) ?? '';
      return edge.label === null ? goal : `${goal} (${edge.label})`;
    });
    return goals.length === 0
      ? []
      : [t('{step} leads to {goals}.', { step: label, goals: goals.join(', ') })];
  });
  return [sum, ...begins, ...follows].join(' ');
}
