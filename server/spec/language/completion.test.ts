import { describe, expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { openDocument } from './open-document.ts';
import { HEAD } from './testing/named-parts.ts';

/** Labels offered at the `|` of a text. */
function at(marked: string, format: 'yaml' | 'json' = 'yaml') {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return completionsAt(openDocument(text, format), offset).map(({ label }) => label);
}

describe('completion', () => {
  test('keys of a block, required first, without those present', () => {
    expect(at('|').slice(0, 2)).toEqual(['version', 'agent']);
    expect(at('version: v1\n|')).toContain('workflow');
    expect(at('version: v1\n|')).not.toContain('version');
    expect(at('agent:\n  name: a\n  mod|\n')).toContain('model');
    expect(at('agent:\n  name: a\n  |')).toContain('system_prompt');
    expect(at('agent:\n  model:\n    |')).toEqual(expect.arrayContaining(['provider', 'name']));
  });

  test('values of closed lists and booleans', () => {
    expect(at('agent:\n  strategy: |')).toEqual(['simple', 'react', 'plan-act']);
    expect(at('agent:\n  strategy:\n    type: re|')).toEqual(['simple', 'react', 'plan-act']);
    expect(at('workflow:\n  type: |\n  steps: []')).toContain('graph');
    expect(at('agent:\n  tools:\n    permissions:\n      allow_shell: |')).toEqual([
      'true',
      'false',
    ]);
  });

  test('keys follow the type of the workflow', () => {
    expect(at('workflow:\n  type: graph\n  |')).toEqual(
      expect.arrayContaining(['start', 'nodes', 'edges']),
    );
    expect(at('workflow:\n  type: handoff\n  |')).toContain('selector');
  });

  test('names in scope, by what the step runs', () => {
    const steps = (line: string) => `${HEAD}workflow:\n  type: sequential\n  steps:\n${line}`;
    expect(at(steps('    - id: a\n      kind: agent\n      ref: |'))).toEqual(['writer', 'reader']);
    expect(at(steps('    - {id: a, kind: function, ref: |}'))).toEqual(['stamp']);
    expect(at(steps('    - {id: a, kind: agent, ref: |'))).toEqual(['writer', 'reader']);
    expect(at(steps('    - id: a\n      |'))).toEqual(expect.arrayContaining(['kind', 'ref']));
    expect(
      at(steps('    - id: a\n      kind: agent\n      ref: x\n    - id: b\n      fallback_ref: |')),
    ).toEqual(['a', 'b']);
    expect(at(`${HEAD.replace('name: root', 'name: root\n  tools: [|]')}`)).toEqual(['search']);
    expect(
      at(`${HEAD.replace('name: root', 'name: root\n  tools:\n    include:\n      - |')}`),
    ).toEqual(['search']);
  });

  test('edges offer the nodes of their own graph', () => {
    const text = `workflow:\n  type: graph\n  start: |\n  nodes:\n    one: {id: one, kind: agent, ref: x}\n    two: {id: two, kind: agent, ref: x}\n  edges:\n    - {from: one, to: two}\n`;
    expect(at(text)).toEqual(['one', 'two']);
    expect(at(text.replace('|', 'one').replace('to: two', 'to: |'))).toEqual(['one', 'two']);
  });

  test('nothing inside comments, something in broken documents', () => {
    expect(at('agent:\n  # na|')).toEqual([]);
    expect(at('agent:\n  name: "a\n  |')).toBeDefined();
    expect(at('{"agent": {"strategy": "|"}}', 'json')).toEqual(['simple', 'react', 'plan-act']);
  });
});

/** What is put in at the `|` for a label; stops are shown as `@{…}`. */
function insert(marked: string, label: string, format: 'yaml' | 'json' = 'yaml') {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const found = completionsAt(openDocument(text, format), offset).find(
    (one) => one.label === label,
  );
  return found?.insert.replaceAll('$' + '{', '@{');
}

describe('what completion puts in', () => {
  test('keys with the required fields of their block, at the right indent', () => {
    expect(insert('|', 'agent')).toBe('agent:\n  name: @{1:name}');
    expect(insert('agent:\n  name: a\n  mod|', 'model')).toBe(
      'model:\n  provider: @{1|dummy,openai,openai-compatible,anthropic,google,ollama|}\n  name: @{2:name}',
    );
    expect(insert('workflow:\n  type: sequential\n  |', 'steps')).toBe(
      'steps:\n- id: @{1:id}\n  kind: @{2|agent,function,workflow,human,guardrail|}\n  ref: $3',
    );
    expect(insert('workflow:\n  type: graph\n  start: a\n  |', 'nodes')).toContain(
      'nodes:\n  @{1:name}:\n    id: @{2:id}',
    );
    expect(insert('agent:\n  |', 'system_prompt')).toBe('system_prompt: ');
    expect(insert('agent:\n  na|: x', 'name')).toBe('name');
    expect(insert('agent: {|}', 'model')).toContain('model: {provider: @{1|');
    expect(insert('agent: {|}', 'middleware')).toBe('middleware: [$0]');
    expect(insert('{"agent": {"name": "a", |}}', 'model', 'json')).toContain(
      '"model": {"provider": "@{1|',
    );
    expect(insert('{"|"}', 'agent', 'json')).toBe('agent');
    expect(insert('components: {|}', 'agents')).toBe('agents: {@{1:name}: {name: @{2:name}}}');
    expect(insert('components:\n  |', 'humans')).toBe('humans:\n  @{1:name}:\n    $0');
  });

  test('lines below a dash stand under its first key', () => {
    const list = 'workflow:\n  type: graph\n  start: a\n  edges:\n    - |';
    expect(insert(list, 'new edge')).toBe('from: $1\n  to: $2');
    expect(insert(`${list}\n`, 'condition')).toContain('condition:\n    type: @{1|always');
    expect(insert('workflow:\n  type: graph\n  start: a\n  edges:\n    |', 'new edge')).toBe(
      '- from: $1\n  to: $2',
    );
    expect(insert('workflow: {type: graph, edges: [|]}', 'new edge')).toBe('{from: $1, to: $2}');
  });

  test('new components by name', () => {
    expect(insert('components:\n  agents:\n    |', 'new agent')).toBe(
      '@{1:name}:\n  name: @{2:name}',
    );
    expect(insert('{"tools": {|}}', 'new tool', 'json')).toBe(
      '"@{1:name}": {"description": "@{2:description}"}',
    );
  });

  test('values right behind a colon get their blank', () => {
    expect(insert('agent:\n  strategy:|', 'react')).toBe(' react');
    expect(insert('agent:\n  strategy: |', 'react')).toBe('react');
  });

  test('names of either kind where a function or an agent may stand', () => {
    const text = HEAD.replace(
      'name: root',
      'name: root\n  memory:\n    policy: summary\n    summarizer: {ref: |}',
    );
    expect(at(text)).toEqual(['stamp', 'writer', 'reader']);
    const guarded = HEAD.replace(
      'name: root',
      'name: root\n  guardrails:\n    input:\n      - {id: g, type: agent, ref: |}',
    );
    expect(at(guarded)).toEqual(['writer', 'reader']);
  });
});
