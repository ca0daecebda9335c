import { expect, it } from 'vitest';
import { n8nExport, n8nNode } from '../../../test/support/n8n-export.ts';
import { analyze } from '../analyze.ts';

it('the ledger of a flow of items names the edge of each of two outputs to one target', () => {
  const nodes = [n8nNode('T', 'manualTrigger'), n8nNode('I', 'if'), n8nNode('A', 'noOp')];
  const raw = n8nExport(nodes, 'T>I I>A I:1>A');
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok || outcome.ledger === null) throw new Error('it was refused');
  const wires = outcome.ledger.filter(({ locator }) => locator.startsWith('$.connections.I'));
  expect(wires.map(({ draft }) => draft)).toEqual(['workflow.edges[1]', 'workflow.edges[2]']);
});
