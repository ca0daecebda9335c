import { expect, test } from 'vitest';
import { openDocument } from '../open-document.ts';
import type { FormField } from './form.ts';
import { formAt } from './inspect.ts';

const TEXT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: writer, pace: slow}
    ask: {id: ask, kind: human, ref: lead}
  edges:
    - {from: sort, to: ask, condition: {type: output_contains, value: refund}}
components:
  agents:
    writer:
      name: writer
      system_prompt: |
        Answer.
      model: gpt-5
      tools: [search]
      guardrails:
        input: [{id: rude, type: keyword, config: {keywords: [fool]}}]
  humans:
    lead: {description: Good?, request_type: approve}
tools:
  search: {description: Find., implementation: web.search}
`;

const document = openDocument(TEXT);

function form(...path: (string | number)[]) {
  const made = formAt(document, path);
  if (made === undefined) throw new Error('no form');
  return made;
}

function field(fields: readonly FormField[] | undefined, key: string): FormField {
  const found = fields?.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no field ${key}`);
  return found;
}

test('a step shows itself and what it runs, each field by the schema', () => {
  const { path, sections } = form('workflow', 'nodes', 'sort', 'ref');
  expect(path).toEqual(['workflow', 'nodes', 'sort']);
  expect(sections.map(({ subject, name }) => [subject, name])).toEqual([
    ['step', 'sort'],
    ['agent', 'writer'],
  ]);
  const [step, agent] = sections;
  expect(field(step?.fields, 'kind')).toMatchObject({
    kind: 'choice',
    value: 'agent',
    required: true,
  });
  expect(field(step?.fields, 'ref')).toMatchObject({ kind: 'text', choices: ['writer'] });
  expect(field(step?.fields, 'max_retries')).toMatchObject({
    kind: 'integer',
    written: false,
    standard: '0',
  });
  expect(step?.fields.map(({ key }) => key)).not.toContain('id');
  expect(field(step?.fields, 'pace')).toMatchObject({
    unknown: true,
    value: 'slow',
    written: true,
  });
  expect(field(agent?.fields, 'system_prompt')).toMatchObject({ kind: 'long', value: 'Answer.\n' });
  expect(field(agent?.fields, 'model')).toMatchObject({ kind: 'text', value: 'gpt-5' });
  expect(field(agent?.fields, 'tools')).toMatchObject({ kind: 'texts', choices: ['search'] });
  const inputs = field(field(agent?.fields, 'guardrails').fields, 'input');
  expect(inputs.parts).toEqual([
    { label: 'rude', path: ['components', 'agents', 'writer', 'guardrails', 'input', 0] },
  ]);
});

test('an edge, a tool, a human step and the workflow have forms too', () => {
  const edge = form('workflow', 'edges', 0, 'condition', 'value');
  expect(edge.sections.map(({ subject }) => subject)).toEqual(['edge']);
  expect(field(edge.sections[0]?.fields, 'to').choices).toEqual(['sort', 'ask']);
  const condition = field(edge.sections[0]?.fields, 'condition');
  expect(condition.kind).toBe('group');
  expect(field(condition.fields, 'value')).toMatchObject({ kind: 'any', value: 'refund' });
  expect(form('tools', 'search').sections[0]).toMatchObject({ subject: 'tool', name: 'search' });
  expect(form('workflow', 'start').sections[0]?.subject).toBe('graph');
  expect(
    form('components', 'agents', 'writer', 'guardrails', 'input', 0, 'config').path.at(-1),
  ).toBe(0);
  const human = form('workflow', 'nodes', 'ask').sections[1];
  expect(human?.subject).toBe('human');
});

test('what is wrong with a field stands at the field', () => {
  const human = form('components', 'humans', 'lead').sections[0];
  const [finding] = field(human?.fields, 'request_type').findings;
  expect(finding).toMatchObject({ severity: 'error' });
  // A value that is none of the listed ones is shown as it is written.
  expect(field(human?.fields, 'request_type')).toMatchObject({ kind: 'text', value: 'approve' });
});

test('no element, and a text that cannot be read: no form', () => {
  expect(formAt(document, ['version'])).toBeUndefined();
  expect(formAt(openDocument('agent: ['), ['agent'])).toBeUndefined();
});

const FLOW = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: hook
  nodes:
    hook: {id: hook, kind: function, ref: hook}
    join: {id: join, kind: function, ref: join}
  edges:
    - {from: hook, to: join}
components:
  functions:
    hook: {implementation: n8n.webhook}
    join: {implementation: n8n.merge}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      hook: {name: Webhook, type: n8n-nodes-base.webhook, version: 2, parameters: {path: refunds}}
      join: {name: Join, type: n8n-nodes-base.merge, version: 3, parameters: {mode: append, more: 1}}
`;

test('a built-in step of an imported flow has its settings in the form, wherever the cursor is', () => {
  const flow = openDocument(FLOW);
  for (const at of [
    ['workflow', 'nodes', 'join'],
    ['metadata', 'flow', 'steps', 'join', 'parameters', 'mode'],
  ]) {
    const sections = formAt(flow, at)?.sections ?? [];
    expect(sections.map(({ subject }) => subject)).toEqual([
      'step',
      'function',
      'settings',
      'flow_step',
    ]);
    const mode = field(sections[2]?.fields, 'mode');
    expect(mode).toMatchObject({ value: 'append', written: true });
    expect(mode.choices).toContain('combine');
    expect(field(sections[2]?.fields, 'more')).toMatchObject({ unknown: false, kind: 'any' });
    expect(sections[2]?.about).toContain('"Join"');
    expect(sections[3]?.fields.map(({ key }) => key)).not.toContain('parameters');
    expect(field(sections[3]?.fields, 'on_error').kind).toBe('choice');
  }
});
