import { describe, expect, it } from 'vitest';
import { openDocument } from '../../../server/spec/language/open-document.ts';
import { analyseText, locatePath, nodeAtLine } from './spec-analysis.ts';

const GRAPH = `version: v1
agent: { name: root, system_prompt: x }
workflow:
  type: graph
  start: a
  nodes:
    a:
      id: a
      kind: agent
      ref: one
    b: { id: b, kind: agent, ref: one }
  edges:
    - { from: a, to: b, condition: { type: output_contains, value: x }, label: has x }
components:
  agents:
    one: { name: one, system_prompt: y }
`;

const clock = () => 0;

const FLOW = `version: v1
agent: { name: root, system_prompt: x }
workflow:
  type: graph
  start: begin
  nodes:
    begin: { id: begin, kind: function, ref: begin }
    mail: { id: mail, kind: function, ref: begin }
    chat: { id: chat, kind: function, ref: begin }
  edges:
    - { from: begin, to: mail, condition: { type: metadata_equals, key: output_0, value: true } }
    - { from: begin, to: chat, condition: { type: metadata_equals, key: output_1, value: true } }
components:
  functions:
    begin: { implementation: n8n.noOp }
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      begin: { name: Begin, type: n8n-nodes-base.noOp, version: 1, parameters: { triggers: [mail, chat] } }
      mail: { name: A mail comes, type: n8n-nodes-base.noOp, version: 1 }
`;

describe('analyseText', () => {
  it('names the triggers that an item flow may begin with', () => {
    const flowOf = (text: string) => analyseText(openDocument(text), clock).flow;
    expect(flowOf(FLOW)).toEqual([
      { key: 'mail', name: 'A mail comes', fields: [] },
      { key: 'chat', name: 'chat', fields: [] },
    ]);
    expect(flowOf(FLOW.replace('{ triggers: [mail, chat] }', '{}'))).toEqual([
      { key: 'begin', name: 'Begin', fields: [] },
    ]);
    expect(flowOf(GRAPH)).toBeNull();
  });

  it('draws the graph with its start, condition and places in the text', () => {
    const { graph, nodeRanges } = analyseText(openDocument(GRAPH), clock);
    expect(graph?.nodes.map(({ label, start, kind }) => [label, start, kind])).toEqual([
      ['a', true, 'agent'],
      ['b', false, 'agent'],
    ]);
    expect(graph?.edges).toMatchObject([{ label: 'has x', conditional: true }]);
    const [a, b] = graph?.nodes.map(({ id }) => id) ?? [];
    expect(nodeAtLine(nodeRanges, 9)).toBe(a);
    expect(nodeAtLine(nodeRanges, 11)).toBe(b);
    expect(nodeAtLine(nodeRanges, 1)).toBeUndefined();
  });

  it('places findings and gives no graph for a text that cannot be read', () => {
    const analysis = analyseText(openDocument('version: v1\nagent: ['), clock);
    expect(analysis).toMatchObject({ parsed: false, graph: null });
    expect(analysis.diagnostics[0]).toMatchObject({ code: 'E_PARSE', severity: 'error' });
  });

  it('marks what is valid and cannot be built (L18, decisions 49)', () => {
    const text = 'version: v1\nagent: { name: r, memory: { policy: full } }\n';
    const marked = (version: string) =>
      analyseText(openDocument(version), clock).diagnostics.filter(({ code }) =>
        code.startsWith('E_'),
      );
    expect(marked(text)).toEqual([]);
    expect(marked(text.replace('full', 'sliding_window, max_messages: x'))).toMatchObject([
      {
        code: 'E_MEMORY_CONFIG',
        severity: 'warning',
        message: 'Cannot be built: A whole number is wanted, found text.',
        range: { startLine: 2, startColumn: 67 },
      },
    ]);
  });

  it('draws every other kind of workflow', () => {
    const of = (workflow: string) =>
      analyseText(
        openDocument(`version: v1\nagent: {name: r, system_prompt: x}\nworkflow: ${workflow}\n`),
        clock,
      ).graph;
    const two = '[{id: a, kind: agent, ref: r}, {id: b, kind: agent, ref: r}]';
    for (const workflow of [
      `{type: sequential, steps: ${two}}`,
      `{type: concurrent, participants: ${two}}`,
      `{type: handoff, participants: ${two}, selector: {type: round_robin}}`,
      `{type: group-chat, participants: ${two}, rounds: 3}`,
    ]) {
      expect(of(workflow)?.edges.length).toBeGreaterThan(0);
    }
  });

  it('finds a path or its nearest ancestor', () => {
    expect(locatePath(openDocument(GRAPH), 'workflow.edges[0].label')).toMatchObject({
      startLine: 13,
    });
    expect(locatePath(openDocument(GRAPH), 'workflow.nodes.gone')).toMatchObject({
      startLine: 6,
    });
    expect(locatePath(openDocument(GRAPH), 'b')).toMatchObject({ startLine: 11 });
    expect(locatePath(openDocument(GRAPH), 'one')).toMatchObject({
      startLine: 16,
    });
  });
});
