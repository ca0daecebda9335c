import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatText } from '../edit/format.ts';
import { applyEdits } from '../edit/text-edit.ts';
import { validateText } from '../rules/validate.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { completionsAt } from './completion.ts';
import { definitionAt, referencesAt } from './definition.ts';
import { foldsOf } from './folding.ts';
import { hoverAt } from './hover.ts';
import { openDocument } from './open-document.ts';
import { outlineOf } from './outline.ts';
import { renameAt, renameTarget } from './rename.ts';
import { HEAD } from './testing/named-parts.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const samples = readdirSync(SPECS)
  .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
  .map((name) => ({ name, text: readFileSync(join(SPECS, name), 'utf8') }));

describe('folds', () => {
  test('entries, items, texts and runs of comments', () => {
    const text =
      '# one\n# two\na:\n  b: |\n    x\n    y\n  l:\n  - p: 1\n    q: 2\n  # last\nc: {d: 1}\n# lone\n';
    expect(foldsOf(openDocument(text))).toEqual([
      { start: 1, end: 2, kind: 'comment' },
      { start: 3, end: 9, kind: 'part' },
      { start: 4, end: 6, kind: 'part' },
      { start: 7, end: 9, kind: 'part' },
      { start: 8, end: 9, kind: 'part' },
    ]);
    expect(foldsOf(openDocument('{"a": {\n"b": 1\n}}', 'json'))).toEqual([
      { start: 1, end: 3, kind: 'part' },
    ]);
    expect(foldsOf(openDocument(''))).toEqual([]);
  });
});

describe('hover', () => {
  test('fields show their help, names what they stand for', () => {
    const text = `${HEAD}workflow:\n  type: sequential\n  steps:\n    - {id: a, kind: agent, ref: writer}\n`;
    expect(hoverAt(openDocument(text), text.indexOf('name: root') + 1)?.markdown).toContain(
      'Agent name',
    );
    expect(hoverAt(openDocument(text), text.indexOf('ref: writer') + 6)?.markdown).toContain(
      'Writes well.',
    );
    expect(hoverAt(openDocument(text), text.indexOf('kind: agent') + 7)?.markdown).toContain(
      'One of',
    );
    expect(hoverAt(openDocument(text), text.length)).toBeUndefined();
    const kind = hoverAt(openDocument(text), text.indexOf('type: seq') + 1)?.markdown;
    expect(kind).toContain('One of `sequential`');
    const graph = `${HEAD}workflow:
  type: graph
  start: one
  nodes:
    one: {id: one, kind: agent, ref: writer, max_retries: 2}
    two: {id: two, kind: agent, ref: gone}
  edges: [{from: one, to: two}]
`;
    expect(hoverAt(openDocument(graph), graph.indexOf('from: one') + 7)?.markdown).toContain(
      '- max_retries: `2`',
    );
    expect(hoverAt(openDocument(graph), graph.indexOf('gone') + 1)?.markdown).toContain(
      'Nothing declares this name.',
    );
    const steps = text.replace('ref: writer', 'ref: writer, fallback_ref: a');
    expect(hoverAt(openDocument(steps), steps.indexOf('fallback_ref: a') + 14)?.markdown).toContain(
      '- ref: `writer`',
    );
    expect(hoverAt(openDocument(graph), graph.indexOf('max_retries') + 1)?.markdown).toContain(
      'Default: `0`',
    );
  });
});

test('what a name stands for is told in short, whatever its shape', () => {
  const text = `version: v1
agent:
  name: root
  tools: [look]
  guardrails: {input: [{ref: judge, type: agent}, {ref: check}], output: [{ref: nobody}]}
components:
  agents:
    judge:
      name: judge
      system_prompt: "${'long '.repeat(30)}"
      tools: [look, look]
      strategy: {type: react}
      model: {name: m}
      history: {a: 1}
      metadata: {}
      memory: {}
      defaults: {b: 1}
  functions: {check: {implementation: a.b}}
  workflows: &w
    flow: {type: sequential, steps: [{id: s, kind: odd, ref: judge}, {id: s, kind: agent, ref: judge}]}
tools:
  look: {description: Looks., parameters: {}, list: [[1], {a: 1}], empty: ""}
skills: *w
`;
  const document = openDocument(text);
  const about = (part: string, into: number) =>
    hoverAt(document, text.indexOf(part) + into)?.markdown.split('\n');
  expect(about('ref: judge', 6)).toEqual([
    '**judge** — agent',
    '',
    `- system_prompt: \`${'long '.repeat(30).slice(0, 79)}…\``,
    '- tools: `look`, `look`',
    '- strategy: `react`',
    '- model: `m`',
  ]);
  expect(about('ref: check', 6)).toEqual(['**check** — function', '', '- implementation: `a.b`']);
  expect(about('nobody', 1)?.at(-1)).toBe('Nothing declares this name.');
  expect(about('tools: [look', 9)).toEqual([
    '**look** — tool',
    '',
    'Looks.',
    '',
    '- list: 2 items',
  ]);
  expect(about('ref: judge}, {id', 6)?.[0]).toBe('**ref** — text, required');
  expect(about('*w', 1)).toBeUndefined();
  expect(hoverAt(openDocument(''), 0)).toBeUndefined();
  expect(hoverAt(openDocument('agent: [a]\n'), 8)).toBeUndefined();
});

/** The edits of a rename at some characters into a part of a text. */
function renamed(text: string, part: string, into: number, name: string) {
  const outcome = renameAt(openDocument(text), text.indexOf(part) + into, name);
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.edits;
}

function refusal(text: string, part: string, into: number, name: string) {
  const outcome = renameAt(openDocument(text), text.indexOf(part) + into, name);
  return 'problem' in outcome ? outcome.problem : undefined;
}

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
    const range = definitionAt(openDocument(graph), graph.indexOf('ref: writer') + 5);
    expect(graph.slice(range?.start.offset, range?.end.offset)).toBe('writer');
    expect(range?.start.offset).toBe(graph.indexOf('writer:'));
    expect(referencesAt(openDocument(graph), range?.start.offset ?? 0)).toHaveLength(3);
  });

  test('a node is renamed with its id, start, edges and fallbacks, and nothing else', () => {
    const edits = renamed(graph, 'start: one', 7, 'first, step');
    const after = applyEdits(graph, edits);
    expect(edits).toHaveLength(5);
    expect(after).toBe(
      graph
        .replace('start: one', 'start: first, step')
        .replace('one: {id: one', 'first, step: {id: "first, step"')
        .replace('fallback_ref: one', 'fallback_ref: "first, step"')
        .replace('from: one', 'from: "first, step"'),
    );
    expect(validateText(after, 'yaml').valid).toBe(true);
  });
});

describe('rename', () => {
  const text = `${HEAD}workflow:
  type: sequential
  steps:
    - {id: a, kind: agent, ref: writer}
    - {id: b, kind: agent, ref: reader, on_error: fallback, fallback_ref: a}
`;

  test('is refused with a reason', () => {
    expect(refusal(text, 'ref: writer', 6, 'reader')).toBe(
      '"reader" is already the name of another agent.',
    );
    expect(refusal(text, 'fallback_ref: a', 14, 'b')).toBe(
      '"b" is already the name of another step in this workflow.',
    );
    expect(refusal(text, 'ref: writer', 6, ' ')).toBe('A name cannot be empty.');
    expect(refusal(text, 'ref: writer', 6, 'x ')).toContain('blank');
    expect(refusal(text, 'ref: writer', 6, 'x\ny')).toContain('line breaks');
    expect(refusal(text, 'ref: writer', 6, 'x'.repeat(201))).toContain('200');
    expect(refusal(text, 'version', 1, 'x')).toContain('no name');
    expect(refusal(`${text}]`, 'ref: writer', 6, 'x')).toContain('fault');
    expect(renamed(text, 'ref: writer', 6, 'writer')).toEqual([]);
    expect(renameTarget(openDocument(text), text.indexOf('ref: writer') + 6)?.name).toBe('writer');
    expect(renameTarget(openDocument(text), 1)).toBeUndefined();
  });

  test('a step written as the name of its agent follows it, with what refers to the step', () => {
    const short = HEAD.replace(
      'components:',
      'workflow:\n  type: handoff\n  participants:\n  - {id: x, kind: agent, ref: writer}\n  selector: {type: sequence, sequence: [x]}\ncomponents:\n  workflows:\n    inner: {type: sequential, steps: [writer, {id: z, kind: agent, ref: reader, fallback_ref: writer}]}',
    );
    const after = applyEdits(short, renamed(short, 'writer:', 1, 'author'));
    expect(after).toBe(
      short
        .replace('steps: [writer', 'steps: [author')
        .replace('fallback_ref: writer', 'fallback_ref: author')
        .replace('ref: writer}\n  selector', 'ref: author}\n  selector')
        .replace('writer: {name', 'author: {name'),
    );
    const turns = applyEdits(short, renamed(short, 'sequence: [x]', 11, 'x2'));
    expect(turns).toBe(
      short.replace('{id: x', '{id: x2').replace('sequence: [x]', 'sequence: [x2]'),
    );
  });

  test('a function or agent behind memory and guardrails is found by what is declared', () => {
    const memory = HEAD.replace(
      'name: root',
      'name: root\n  memory: {policy: summary, summarizer: {ref: writer}}\n  guardrails: {input: [{id: g, type: function, ref: stamp}]}',
    );
    const after = applyEdits(memory, renamed(memory, 'writer: {name', 1, 'author'));
    expect(after).toContain('summarizer: {ref: author}');
    expect(applyEdits(memory, renamed(memory, 'stamp:', 1, 'mark'))).toContain('ref: mark}');
  });
});

test('the outline lists parts and steps by name', () => {
  const [version, agent, components] = outlineOf(openDocument(HEAD));
  expect([version?.name, agent?.detail]).toEqual(['version', 'root']);
  expect(
    components?.children.map(({ name, children }) => [name, children.map((one) => one.name)]),
  ).toEqual([
    ['agents', ['writer', 'reader']],
    ['functions', ['stamp']],
  ]);
  expect(
    outlineOf(
      openDocument(`${HEAD}workflow:\n  type: sequential\n  steps:\n    - {id: a, kind: agent\n`),
    ),
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
    expect(formatText('a:   1\r\nb:\r\n    - 2\r\n')).toBe('a: 1\r\nb:\r\n- 2\r\n');
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
        for (const before of [undefined, openDocument(text, format)]) {
          const document = openDocument(cut, format, before);
          completionsAt(document, place);
          hoverAt(document, place);
          definitionAt(document, place);
          referencesAt(document, place);
          renameAt(document, place, 'fresh');
          outlineOf(document);
        }
        formatText(cut, format);
      },
    ),
    { numRuns: 250 },
  );
});
