import { expect, it } from 'vitest';
import { n8nExport, n8nNode } from '../../../test/support/n8n-export.ts';
import { analyze } from '../analyze.ts';

function draftsOf(raw: string, from: string): (string | null)[] {
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok || outcome.ledger === null) throw new Error('it was refused');
  const wires = outcome.ledger.filter(({ locator }) => locator.startsWith(`$.connections.${from}`));
  return wires.map(({ draft }) => draft);
}

it('the ledger of a flow of items names the edge of each of two outputs to one target', () => {
  const nodes = [n8nNode('T', 'manualTrigger'), n8nNode('I', 'if'), n8nNode('A', 'noOp')];
  const raw = n8nExport(nodes, 'T>I I>A I:1>A');
  expect(draftsOf(raw, 'I')).toEqual(['workflow.edges[1]', 'workflow.edges[2]']);
});

it('the ledger names the edge of each of two wires from one output to two inputs', () => {
  const nodes = [
    n8nNode('T', 'manualTrigger'),
    n8nNode('S', 'set'),
    n8nNode('M', 'merge', { mode: 'append', numberInputs: 2 }, { typeVersion: 3 }),
  ];
  const main = [
    [
      { node: 'M', type: 'main', index: 0 },
      { node: 'M', type: 'main', index: 1 },
    ],
  ];
  const connections = { T: { main: [[{ node: 'S' }]] }, S: { main } };
  const raw = n8nExport(nodes, '', { connections });
  expect(draftsOf(raw, 'S')).toEqual(['workflow.edges[1]', 'workflow.edges[2]']);
});
