import { describe, expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { hoverAt } from './hover.ts';
import { openDocument } from './open-document.ts';

/** Labels offered at the `|` of a text. */
function at(marked: string, format: 'yaml' | 'json' = 'yaml'): string[] {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return completionsAt(openDocument(text, format), offset).map(({ label }) => label);
}

describe('what is offered', () => {
  test('behind an alias is what the place itself may hold', () => {
    const text =
      'components:\n  agents:\n    a: &a {name: a}\n    b: *a\nagent:\n  name: x\n  mod|\n';
    expect(at(text)).toContain('model');
  });

  test('where a list of steps begins: a whole step, or the keys of one', () => {
    const steps = 'workflow:\n  type: sequential\n  steps: ';
    expect(at(`${steps}\n    |`)).toContain('new step');
    expect(at(`${steps}[|]`)).toContain('new step');
    const inside = at(`${steps}[{|}]`);
    expect(inside).toEqual(expect.arrayContaining(['id', 'kind', 'ref']));
    expect(inside).not.toContain('new step');
  });

  test('in a mapping of one line where a list belongs is nothing', () => {
    expect(at('workflow: {type: sequential, steps: {|}}')).toEqual([]);
  });
});

test('a JSON value without its quotes gets them', () => {
  const text = '{"agent": {"strategy": }}';
  const found = completionsAt(openDocument(text, 'json'), text.indexOf('}}'));
  expect(found.map(({ insert }) => insert)).toEqual(['"simple"', '"react"', '"plan-act"']);
});

describe('in the settings of an imported flow', () => {
  const flow = (steps: string, nodes = '{a: {id: a, kind: function, ref: code}}') =>
    `version: v1\nagent: {name: desk}\nworkflow: {type: graph, start: a, nodes: ${nodes}}\n` +
    `metadata:\n  flow:\n    source: n8n\n    order: v1\n    steps: ${steps}\n`;

  test('a text takes no keys, and a mapping no value', () => {
    expect(at(flow('{a: {name: {|}}}'))).toEqual([]);
    expect(at('version: v1\nmetadata:\n  flow: |\n')).toEqual([]);
  });

  test('steps are offered by the nodes of the graph, and none without a graph', () => {
    expect(at(flow('{|}'))).toEqual(['a']);
    expect(at(flow('{|}', '[a]'))).toEqual([]);
    expect(at('metadata: {flow: {steps: {|}}}')).toEqual([]);
  });

  test('a step without a type, or of a type that is unknown, has no settings to offer', () => {
    expect(at(flow('{a: {name: A, parameters: {|}}}'))).toEqual([]);
    expect(at(flow('{a: {name: A, type: none, parameters: {|}}}'))).toEqual([]);
  });

  test('steps in a list are told with their names too', () => {
    const text = flow('[{name: First, type: n8n-nodes-base.merge}]');
    expect(hoverAt(openDocument(text), text.indexOf('type: n8n') + 1)?.markdown).toContain(
      'In the source: "First" (n8n-nodes-base.merge).',
    );
  });

  test('settings that are no mapping are still told what they are', () => {
    const text = flow('{a: {name: A, type: n8n-nodes-base.merge, version: 3, parameters: none}}');
    expect(hoverAt(openDocument(text), text.indexOf('parameters') + 1)?.markdown).toContain(
      'The settings as the source has them.',
    );
  });
});
