import { analyze } from '../../server/importers/analyze.ts';
import { type Figure, measure, milliseconds } from './harness.ts';

/** An n8n export: a trigger, then a chain of Set and If nodes. */
function workflowOf(count: number): string {
  const name = (i: number) => `Step ${i}`;
  const nodes: object[] = [
    {
      id: 'trigger',
      name: name(0),
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    },
  ];
  const connections: Record<string, object> = {};
  for (let i = 1; i < count; i += 1) {
    nodes.push({
      id: `node-${i}`,
      name: name(i),
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [i * 200, (i % 7) * 80],
      parameters: {
        assignments: {
          assignments: [
            { id: `a${i}`, name: 'total', type: 'number', value: `={{ $json.n + ${i} }}` },
          ],
        },
      },
    });
    connections[name(i - 1)] = { main: [[{ node: name(i), type: 'main', index: 0 }]] };
  }
  return JSON.stringify({ name: `Chain of ${count}`, nodes, connections, settings: {} });
}

/** The whole import of one file: bytes to draft, gaps and suggestions. */
export async function importBench(): Promise<readonly Figure[]> {
  const raw = workflowOf(200);
  const once = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!once.ok) throw new Error(once.message);
  return [
    await measure('import', {
      name: 'n8n workflow of 200 nodes',
      unit: 'ms',
      warmup: 3,
      repeats: 20,
      sample: () => milliseconds(() => analyze({ source: 'n8n', raw, conversion: 'extended' })),
    }),
  ];
}
