import { expect, test } from 'vitest';
import { openDocument } from '../../language/open-document.ts';
import { lineAddresses, stepAddresses } from './workflow-at.ts';

const TEXT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: a
  nodes:
    a: {id: a, kind: agent, ref: ann, on_error: fallback, fallback_ref: b}
    b: {id: b, kind: workflow, ref: side}
  edges:
    - {from: a, to: b}
components:
  agents: {ann: {name: ann}}
  workflows:
    side: {type: sequential, steps: [{id: one, kind: agent, ref: ann}, {id: two, kind: agent, ref: ann}]}
    ring: {type: graph, start: c, nodes: {c: {id: c, kind: agent, ref: ann}}, edges: [{from: c, to: c}, {from: c, to: c}]}
`;

function spec(text: string) {
  const { spec: found } = openDocument(text).validation();
  if (found === undefined) throw new Error('The text is no spec.');
  return found;
}

test('every step of the root workflow and of the components has an address', () => {
  expect([...stepAddresses(spec(TEXT))]).toEqual([
    ['workflow.nodes.a', { workflow: null, step: 'a' }],
    ['workflow.nodes.b', { workflow: null, step: 'b' }],
    ['components.workflows.side.steps[0]', { workflow: 'side', step: 0 }],
    ['components.workflows.side.steps[1]', { workflow: 'side', step: 1 }],
    ['components.workflows.ring.nodes.c', { workflow: 'ring', step: 'c' }],
  ]);
});

test('fallbacks of all steps and edges of all graphs have addresses', () => {
  const lines = lineAddresses(spec(TEXT));
  expect(lines.get('workflow.nodes.a.fallback_ref')).toEqual({ workflow: null, fallback: 'a' });
  expect(lines.get('components.workflows.side.steps[1].fallback_ref')).toEqual({
    workflow: 'side',
    fallback: 1,
  });
  expect([...lines].filter(([path]) => path.includes('.edges'))).toEqual([
    ['workflow.edges[0]', { workflow: null, edge: 0 }],
    ['components.workflows.ring.edges[0]', { workflow: 'ring', edge: 0 }],
    ['components.workflows.ring.edges[1]', { workflow: 'ring', edge: 1 }],
  ]);
});

test('a spec without a workflow has only the addresses of its components', () => {
  const none = spec(TEXT.replace(/workflow:\n[\s\S]*(?=components:)/, ''));
  expect([...stepAddresses(none).keys()]).toEqual([
    'components.workflows.side.steps[0]',
    'components.workflows.side.steps[1]',
    'components.workflows.ring.nodes.c',
  ]);
  expect(lineAddresses(none).has('workflow.edges[0]')).toBe(false);
});
