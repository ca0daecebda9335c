import { expect, test } from 'vitest';
import { compileSpec } from '../compile/compile.ts';
import { openDocument } from './open-document.ts';

function marks(text: string): [string, string, string | null, number][] {
  return openDocument(text)
    .findings()
    .map(({ code, severity, path, range }) => [code, severity, path, range.start.line]);
}

const UNBUILDABLE = `version: v1
agent:
  name: root
  model: { provider: dummy, name: d, temperature: -1 }
  strategy: { type: react, max_iterations: 0 }
  memory:
    policy: sliding_window
    max_messages: x
workflow:
  type: sequential
  steps: []
tools:
  look: { description: d, implementation: look }
components:
  agents:
    nameless:
      name: ""
  functions:
    shout: { implementation: shout }
`;

test('L18, decisions 49: what is valid and cannot be built is a warning at its place', () => {
  const document = openDocument(UNBUILDABLE);
  expect(document.validation().valid).toBe(true);
  const warned = document.findings().filter(({ message }) => message.startsWith('Cannot be built'));
  expect(warned.map(({ code, path, range }) => [code, path, range.start.line])).toEqual([
    ['E_IMPLEMENTATION_PATH', 'tools.look.implementation', 13],
    ['E_IMPLEMENTATION_PATH', 'components.functions.shout.implementation', 19],
    ['E_MEMORY_CONFIG', 'agent.memory.max_messages', 8],
    ['E_AGENT_NUMBER', 'agent.strategy.max_iterations', 5],
    ['E_AGENT_NUMBER', 'agent.model.temperature', 4],
    ['E_AGENT_NAME', 'components.agents.nameless.name', 17],
    ['E_WORKFLOW_EMPTY', 'workflow', 9],
  ]);
  expect(warned.map(({ severity }) => severity)).toEqual(warned.map(() => 'warning'));
  expect(warned[2]?.message).toBe('Cannot be built: A whole number is wanted, found text.');
  expect(warned[2]?.suggestion).toBe('Write a number, such as 20.');
});

test('the editor warns of what compile refuses, no more and no less', () => {
  const document = openDocument(UNBUILDABLE);
  const { spec, diagnostics } = document.validation();
  if (spec === undefined) throw new TypeError('the text is a spec');
  const refused = compileSpec(spec).diagnostics.slice(diagnostics.length);
  const warned = document.findings().slice(diagnostics.length);
  expect(warned.map(({ code, path }) => [code, path])).toEqual(
    refused.map(({ code, path }) => [code, path]),
  );
});

test('what the check tells already is told once', () => {
  const head = 'version: v1\nagent: { name: r, model: { provider: dummy, name: d }';
  expect(marks(`${head}, memory: { max_messages: 3 } }\n`)).toEqual([
    ['E_MEMORY_POLICY_REQUIRED', 'error', 'agent.memory.policy', 2],
  ]);
  const graph = `${head} }
workflow:
  type: graph
  start: a
  nodes: { a: { id: a, kind: agent, ref: x, enabled: false } }
  edges: []
components: { agents: { x: { name: x, model: { provider: dummy, name: d } } } }
`;
  expect(marks(graph)).toEqual([['E_GRAPH_START_DISABLED', 'error', 'workflow.start', 5]]);
});

test('errors elsewhere hide nothing, and a text that cannot be read is told as such', () => {
  const text = `version: v1
agent: { name: r, skills: [ghost], model: { provider: dummy, name: d } }
workflow: { type: sequential, steps: [] }
`;
  expect(marks(text).map(([code, severity]) => [code, severity])).toEqual([
    ['E_SKILL_REF', 'error'],
    ['E_WORKFLOW_EMPTY', 'warning'],
  ]);
  expect(marks('version: v1\nagent: [').map(([code]) => code)).toEqual(['E_PARSE']);
});
