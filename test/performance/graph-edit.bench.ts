import ELK from 'elkjs/lib/elk.bundled.js';
import { elkGraph } from '../../renderer/graph/layout-model.ts';
import { graphOfTopology } from '../../renderer/graph/topology-graph.ts';
import { applyEdits } from '../../server/spec/edit/text-edit.ts';
import { topologyOf } from '../../server/spec/graph/topology.ts';
import { graphEdit } from '../../server/spec/language/graph-edit.ts';
import { openDocument } from '../../server/spec/language/open-document.ts';
import { type Figure, toFigure } from './harness.ts';

const NODES = 50;
const TURNS = 30;
const WARMUP = 6;

function graphText(): string {
  const names = Array.from({ length: NODES }, (_, i) => `step_${i}`);
  const nodes = names.map((name) => `    ${name}: {id: ${name}, kind: agent, ref: writer}`);
  const edges = names
    .slice(1)
    .map(
      (name, i) =>
        `    - {from: step_${Math.floor(i / 2)}, to: ${name}, condition: {type: output_contains, value: ${name}}}`,
    );
  return `version: v1
agent: {name: root}
workflow:
  type: graph
  start: step_0
  nodes:
${nodes.join('\n')}
  edges:
${edges.join('\n')}
components:
  agents:
    writer: {name: writer}
`;
}

/** What an edit of a graph costs until it is laid out anew, in milliseconds of the processor. */
export async function graphEditBench(): Promise<readonly Figure[]> {
  const text = graphText();
  const document = openDocument(text);
  const engine = new ELK();
  const edits: number[] = [];
  const whole: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = process.cpuUsage();
    const spent = (): number => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const made = graphEdit(document, {
      op: 'connect',
      from: { workflow: null, step: 'step_40' },
      to: { workflow: null, step: `step_${turn % 10}` },
      condition: null,
    });
    if ('problem' in made) throw new Error(made.problem);
    const after = openDocument(applyEdits(text, made.edits), 'yaml', document);
    after.findings();
    const { spec } = after.validation();
    if (spec === undefined) throw new Error('The edited text is no spec.');
    edits.push(spent());
    await engine.layout(elkGraph(graphOfTopology(topologyOf(spec))));
    whole.push(spent());
  }
  const figure = (name: string, samples: readonly number[], atMost: number): Figure =>
    toFigure('spec', { name, unit: 'ms', budget: { atMost } }, samples.slice(WARMUP));
  return [
    figure(`edit of a graph of ${NODES} nodes, as text and read again, processor`, edits, 20),
    figure(`edit of a graph of ${NODES} nodes until it is laid out, processor`, whole, 100),
  ];
}
