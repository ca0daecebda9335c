import { describe, expect, test } from 'vitest';
import { applyEdits } from '../edit/text-edit.ts';
import { graphEdit } from './graph-edit.ts';
import { openDocument } from './open-document.ts';
import { GRAPH, LIST, made, step } from './testing/drawn-texts.ts';

const UNFIT =
  'The text around it is written in a way that this change does not fit. Change it in the text.';
const SHARED =
  'This place is written with an anchor or a merge that other places share. Change it in the text.';
const COMMENTS = 'A comment in the text would be lost by it. Change it in the text.';

const JSON_LIST = `{
  "version": "v1",
  "agent": {"name": "desk"},
  "workflow": {
    "type": "sequential",
    "steps": [
      {"id": "one", "kind": "agent", "ref": "writer"},
      {"id": "two", "kind": "agent", "ref": "writer"}
    ]
  },
  "components": {"agents": {"writer": {"name": "writer"}}}
}
`;

describe('steps go along in every style', () => {
  test('JSON', () => {
    const outcome = made(
      JSON_LIST,
      { op: 'wrap', steps: [step(1)], name: 'inner', loop: null },
      'a.json',
    );
    if ('problem' in outcome) throw new Error(outcome.problem);
    expect(JSON.parse(outcome.text)).toEqual({
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'sequential',
        steps: [
          { id: 'one', kind: 'agent', ref: 'writer' },
          { id: 'inner', kind: 'workflow', ref: 'inner' },
        ],
      },
      components: {
        agents: { writer: { name: 'writer' } },
        workflows: {
          inner: {
            type: 'sequential',
            name: 'inner',
            steps: [{ id: 'two', kind: 'agent', ref: 'writer' }],
          },
        },
      },
    });
    expect(outcome.text.startsWith(JSON_LIST.slice(0, JSON_LIST.indexOf('{"id": "two"')))).toBe(
      true,
    );
  });

  test('flow style, where the steps share a line', () => {
    const text = `version: v1
agent: {name: desk}
workflow: {type: sequential, steps: [{id: one, kind: agent, ref: ann}, {id: two, kind: agent, ref: ann}]}
components:
  agents: {ann: {name: ann}}
`;
    expect(made(text, { op: 'wrap', steps: [step(0)], name: 'inner', loop: null })).toMatchObject({
      text: `${text.replace(
        '[{id: one, kind: agent, ref: ann}',
        '[{id: inner, kind: workflow, ref: inner}',
      )}  workflows:
    inner:
      type: sequential
      name: inner
      steps:
      - id: one
        kind: agent
        ref: ann
`,
    });
  });

  test('components in flow style take the steps in flow style', () => {
    const text = LIST.replace(
      /components:[\s\S]*$/,
      'components: {agents: {writer: {name: writer}}, functions: {tidy: {implementation: texts.tidy}}}\n',
    );
    expect(made(text, { op: 'wrap', steps: [step(2)], name: 'inner', loop: null })).toMatchObject({
      text: text
        .replace('{id: tidy, kind: function, ref: tidy}', '{id: inner, kind: workflow, ref: inner}')
        .replace(
          'texts.tidy}}}',
          'texts.tidy}}, workflows: {inner: {type: sequential, name: inner, steps: [{id: tidy, kind: function, ref: tidy}]}}}',
        ),
    });
    expect(made(text, { op: 'wrap', steps: [step(1)], name: 'inner', loop: null })).toEqual({
      problem: COMMENTS,
    });
  });

  test('lines that stand further in than before are moved out, blank ones kept', () => {
    const deep = `version: v1
agent: {name: desk}
workflow:
            type: sequential
            steps:
                    - id: one
                      kind: agent

                      ref: ann
                    - {id: two, kind: agent, ref: ann}
components:
  agents: {ann: {name: ann}}
`;
    const outcome = made(deep, { op: 'wrap', steps: [step(0)], name: 'inner', loop: null });
    expect(outcome).toMatchObject({
      text: expect.stringMatching(/\n( +)- id: one\n\1 {2}kind: agent\n\n\1 {2}ref: ann\n$/),
    });
  });

  test('a text without a last line break, and one with carriage returns', () => {
    const wrap = { op: 'wrap', steps: [step(1), step(2)], name: 'end', loop: null } as const;
    const whole = made(LIST, wrap);
    const open = made(LIST.trimEnd(), wrap);
    const windows = made(LIST.replaceAll('\n', '\r\n'), wrap);
    if ('problem' in whole) throw new Error(whole.problem);
    expect('text' in open && open.text.trimEnd()).toBe(whole.text.trimEnd());
    expect(windows).toMatchObject({ text: whole.text.replaceAll('\n', '\r\n') });
  });
});

describe('what several places share stays as it is', () => {
  test('a step behind an alias', () => {
    const text = LIST.replace('    - id: check\n', '    - &one\n      id: check\n').concat(
      '  workflows:\n    side:\n      type: sequential\n      steps:\n        - *one\n',
    );
    expect(
      made(text, {
        op: 'set_condition',
        line: { workflow: 'side', edge: 0 },
        condition: null,
      }),
    ).toEqual({ problem: 'This edge is not in the text any more.' });
    expect(
      made(text, { op: 'wrap', steps: [step(0, 'side')], name: 'inner', loop: null }),
    ).toMatchObject({ text: expect.stringContaining('      - id: inner\n') });
    expect(made(text, { op: 'wrap', steps: [step(1)], name: 'inner', loop: null })).toEqual({
      problem: UNFIT,
    });
  });

  test('a node that a merge brings', () => {
    const text = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: a
  nodes:
    <<: &more
      b: {id: b, kind: agent, ref: ann}
    a: {id: a, kind: agent, ref: ann}
  edges:
    - {from: a, to: b}
components:
  agents: {ann: {name: ann}}
`;
    expect(made(text, { op: 'delete_step', at: step('b') })).toMatchObject({
      text: text.replace(
        / {4}<<:[\s\S]*(?=components)/,
        '    a:\n      id: a\n      kind: agent\n      ref: ann\n  edges: []\n',
      ),
      notes: ['1 edge went with it.'],
    });
    expect(made(text, { op: 'wrap', steps: [step('b')], name: 'inner', loop: null })).toMatchObject(
      {
        text: expect.stringContaining(
          '      start: b\n      nodes:\n        b:\n          id: b\n          kind: agent\n          ref: ann\n      edges: []\n',
        ),
      },
    );
  });

  test('a list of edges that two workflows have', () => {
    const nodes =
      '{sort: {id: sort, kind: agent, ref: writer}, check: {id: check, kind: agent, ref: writer}, tidy: {id: tidy, kind: agent, ref: writer}}';
    const text = GRAPH.replace('edges:', 'edges: &all').concat(
      `  workflows:\n    other: {type: graph, start: sort, nodes: ${nodes}, edges: *all}\n`,
    );
    expect(
      made(text, {
        op: 'connect',
        from: step('tidy'),
        to: step('sort'),
        condition: { type: 'output_equals', value: 'x' },
      }),
    ).toEqual({ problem: SHARED });
  });
});

describe('an operation says what else it brings', () => {
  test('a step that repeats itself without a condition', () => {
    const outcome = made(GRAPH, {
      op: 'connect',
      from: step('tidy'),
      to: step('tidy'),
      condition: null,
    });
    expect(outcome).toMatchObject({
      text: GRAPH.replace('      to: tidy\n', '      to: tidy\n    - from: tidy\n      to: tidy\n'),
      notes: expect.arrayContaining([
        'Without a condition the step repeats until the limit of steps ends the run.',
      ]),
      select: step('tidy'),
    });
  });

  test('a fallback that is gone, with what was to happen on a failure', () => {
    const line = { workflow: null, fallback: 'check' } as const;
    expect(made(GRAPH, { op: 'delete_line', line })).toMatchObject({
      text: GRAPH.replace('      on_error: fallback\n      fallback_ref: tidy\n', ''),
      notes: ['A failure of "check" ends the run now.'],
      select: step('check'),
    });
    const retried = GRAPH.replace('on_error: fallback', 'on_error: continue');
    expect(made(retried, { op: 'delete_line', line })).toMatchObject({
      text: retried.replace('      fallback_ref: tidy\n', ''),
    });
  });

  test('the other end of an edge is selected when its source moves', () => {
    expect(
      made(GRAPH, {
        op: 'retarget',
        line: { workflow: null, edge: 0 },
        end: 'from',
        to: step('tidy'),
      }),
    ).toMatchObject({ text: GRAPH.replace('from: sort, to: check', 'from: tidy, to: check') });
  });

  test('a condition that is not there and a label that is not there stay away', () => {
    const outcome = graphEdit(openDocument(GRAPH), {
      op: 'set_condition',
      line: { workflow: null, edge: 1 },
      condition: null,
      label: '',
    });
    expect(outcome).toMatchObject({ edits: [], select: step('sort') });
  });

  test('a step without an id is renamed by the name of its agent', () => {
    const outcome = graphEdit(openDocument(LIST), {
      op: 'rename_step',
      at: step(0),
      name: 'author',
    });
    if ('problem' in outcome) throw new Error(outcome.problem);
    const text = applyEdits(LIST, outcome.edits);
    expect(text).toContain('    - author # short\n');
    expect(text).toContain('    author: {name: writer}\n');
    expect(outcome.select).toEqual(step(0));
  });

  test('the first node that is left starts a graph when nothing enabled stood behind the start', () => {
    const lone = GRAPH.replace('sort: {id: sort', 'sort: {enabled: true, id: sort')
      .replace(/ {4}- \{from: sort.*\n/g, '')
      .replace('    - from: check\n      to: tidy\n', '    - {from: check, to: tidy}\n');
    expect(made(lone, { op: 'delete_step', at: step('sort') })).toMatchObject({
      notes: ['The workflow starts with "check" now.'],
    });
  });
});
