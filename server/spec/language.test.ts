import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { definitionAt, referencesAt } from './definition.ts';
import { formatText } from './format.ts';
import { hoverAt } from './hover.ts';
import { outlineOf } from './outline.ts';
import { formatOfFile, parseSpecText } from './parse-yaml.ts';
import { renameAt } from './rename.ts';
import { applyEdits } from './text-edit.ts';
import { validateText } from './validate.ts';

const SPECS = join(import.meta.dirname, '../../test/fixtures/specs');
const samples = readdirSync(SPECS)
  .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
  .map((name) => ({ name, text: readFileSync(join(SPECS, name), 'utf8') }));

/** Labels offered at the `|` of a text. */
function at(marked: string, format: 'yaml' | 'json' = 'yaml') {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return completionsAt(text, offset, format).map(({ label }) => label);
}

const HEAD = `version: v1
agent:
  name: root
components:
  agents:
    writer: {name: writer, description: Writes well.}
    reader: {name: reader}
  functions:
    stamp: {implementation: a.b}
tools:
  search: {description: Find., implementation: a.c}
`;

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

describe('hover', () => {
  test('fields show their help, names what they stand for', () => {
    const text = `${HEAD}workflow:\n  type: sequential\n  steps:\n    - {id: a, kind: agent, ref: writer}\n`;
    expect(hoverAt(text, text.indexOf('name: root') + 1)?.markdown).toContain('Agent name');
    expect(hoverAt(text, text.indexOf('ref: writer') + 6)?.markdown).toContain('Writes well.');
    expect(hoverAt(text, text.indexOf('kind: agent') + 7)?.markdown).toContain('One of');
    expect(hoverAt(text, text.length)).toBeUndefined();
  });
});

describe('names', () => {
  const graph = `${HEAD}workflow:
  type: graph
  start: one # begin
  nodes:
    one: {id: one, kind: agent, ref: writer}
    two: {id: two, kind: agent, ref: writer, on_error: fallback, fallback_ref: one}
  edges:
    - {from: one, to: two}
`;

  test('a use leads to its declaration', () => {
    const range = definitionAt(graph, graph.indexOf('ref: writer') + 5);
    expect(graph.slice(range?.start.offset, range?.end.offset)).toBe('writer');
    expect(range?.start.offset).toBe(graph.indexOf('writer:'));
    expect(referencesAt(graph, range?.start.offset ?? 0)).toHaveLength(3);
  });

  test('a node is renamed with its id, start, edges and fallbacks, and nothing else', () => {
    const edits = renameAt(graph, graph.indexOf('start: one') + 8, 'first, step');
    const renamed = applyEdits(graph, edits);
    expect(edits).toHaveLength(5);
    expect(renamed).toBe(
      graph
        .replace('start: one', 'start: "first, step"')
        .replace('one: {id: one', '"first, step": {id: "first, step"')
        .replace('fallback_ref: one', 'fallback_ref: "first, step"')
        .replace('from: one', 'from: "first, step"'),
    );
    expect(validateText(renamed, 'yaml').valid).toBe(true);
    expect(renameAt(graph, graph.indexOf('start: one') + 8, 'two')).toEqual([]);
  });
});

test('the outline lists parts and steps by name', () => {
  const [version, agent, components] = outlineOf(HEAD);
  expect([version?.name, agent?.detail]).toEqual(['version', 'root']);
  expect(
    components?.children.map(({ name, children }) => [name, children.map((one) => one.name)]),
  ).toEqual([
    ['agents', ['writer', 'reader']],
    ['functions', ['stamp']],
  ]);
  expect(
    outlineOf(`${HEAD}workflow:\n  type: sequential\n  steps:\n    - {id: a, kind: agent\n`),
  ).not.toEqual([]);
});

describe('format', () => {
  test.each(samples)(
    '$name keeps its meaning and comments, and a second pass changes nothing',
    ({ name, text }) => {
      const once = formatText(text, formatOfFile(name));
      expect(parseSpecText(once, formatOfFile(name)).value).toEqual(
        parseSpecText(text, formatOfFile(name)).value,
      );
      expect(formatText(once, formatOfFile(name))).toBe(once);
    },
  );

  test('comments, anchors and block scalars stay', () => {
    const text =
      '# top\na:   &x  {b: 1}   # side\n\n\n\nlist:\n    - *x # one\n    - two\ntext: |\n    keep\n      this\n# end\n';
    const out = formatText(text);
    expect(out).toBe(
      '# top\na: &x {b: 1} # side\n\nlist:\n- *x # one\n- two\ntext: |\n  keep\n    this\n\n# end\n',
    );
    expect(formatText('a: [1')).toBe('a: [1');
  });
});

test('no text or offset crashes the language service', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.nat(3000),
      fc.nat(3000),
      fc.constantFrom('', '{', '[', '- ', '"', ': ', '\n  '),
      ({ name, text }, from, offset, added) => {
        const cut = text.slice(0, from % (text.length + 1)) + added;
        const place = offset % (cut.length + 1);
        const format = formatOfFile(name);
        completionsAt(cut, place, format);
        hoverAt(cut, place, format);
        definitionAt(cut, place, format);
        renameAt(cut, place, 'fresh', format);
        outlineOf(cut, format);
        formatText(cut, format);
      },
    ),
    { numRuns: 250 },
  );
});
