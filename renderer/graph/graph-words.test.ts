import { expect, test } from 'vitest';
import { graphWords } from './graph-words.ts';

const node = (label: string, start = false) => ({
  ...{ id: `n-${label}`, label, kind: 'agent' as const, detail: '', start },
  ...{ disabled: false, parent: null },
});
const edge = (from: string, to: string, label: string | null = null) => ({
  ...{ id: `${from}-${to}`, source: `n-${from}`, target: `n-${to}`, label },
  conditional: label !== null,
});

test('a drawing is told: where it starts, what follows what, and when', () => {
  const nodes = [node('read', true), node('ask'), node('send')];
  const edges = [edge('read', 'ask', 'unsure'), edge('read', 'send'), edge('ask', 'send')];
  expect(graphWords({ kind: 'graph', nodes, edges, groups: [] })).toBe(
    '3 steps, 3 edges. Starts at read. read leads to ask (unsure), send. ask leads to send.',
  );
});

test('a large drawing is counted only', () => {
  const nodes = Array.from({ length: 31 }, (_, at) => node(`s${at}`));
  expect(graphWords({ kind: 'graph', nodes, edges: [], groups: [] })).toBe('31 steps, 0 edges.');
});
