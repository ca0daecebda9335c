import { describe, expect, test } from 'vitest';
import type { GraphOperation, WrittenCondition } from '../edit/graph/operation.ts';
import { GRAPH, LIST, made, step } from './testing/drawn-texts.ts';

const AGAIN: WrittenCondition = { type: 'output_contains', value: 'TODO' };

function wrap(
  steps: readonly (string | number)[],
  loop: Extract<GraphOperation, { op: 'wrap' }>['loop'] = null,
  name = 'inner',
): GraphOperation {
  return { op: 'wrap', steps: steps.map((at) => step(at)), name, loop };
}

function node(key: string): string {
  return `    ${key}: {id: ${key}, kind: agent, ref: ann}\n`;
}

/** A graph of the nodes a to d, which starts at a, with these edges. */
function graph(...edges: readonly string[]): string {
  const lines = edges.map((edge) => `    - {${edge}}\n`).join('');
  return `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: a
  nodes:
${['a', 'b', 'c', 'd'].map(node).join('')}  edges:
${lines}components:
  agents:
    ann: {name: ann}
`;
}

const CHAIN = graph('from: a, to: b', 'from: b, to: c', 'from: c, to: d');

describe('nodes that no workflow of their own can hold', () => {
  const asks = (condition: string): string =>
    graph('from: a, to: b', 'from: b, to: c', `from: c, to: d, condition: ${condition}`);
  const inside =
    'An edge out of the selection asks for the status or the metadata of "c", which a nested workflow does not hand on.';
  const cases: readonly (readonly [string, string, GraphOperation, string])[] = [
    [
      'two ways in',
      graph('from: a, to: b', 'from: a, to: c', 'from: b, to: c'),
      wrap(['b', 'c']),
      'Ways lead to several of these steps; a workflow has one start.',
    ],
    [
      'the start and another way in',
      graph('from: a, to: b', 'from: c, to: b', 'from: a, to: c'),
      wrap(['a', 'b']),
      'Ways lead to several of these steps; a workflow has one start.',
    ],
    [
      'two ways out',
      graph(
        'from: a, to: b',
        'from: b, to: c, condition: {type: output_equals, value: x}',
        'from: b, to: d',
        'from: c, to: d',
      ),
      wrap(['b', 'c']),
      '"b" and "c" both lead out of the selection; a workflow has one way out.',
    ],
    [
      'a way out that also leads back',
      graph(
        'from: a, to: b',
        'from: b, to: c',
        'from: c, to: b, condition: {type: output_equals, value: x}',
        'from: c, to: d',
      ),
      wrap(['b', 'c']),
      '"c" leads out of the selection and also back into it; a workflow cannot decide that.',
    ],
    [
      'an end before the way out',
      graph(
        'from: a, to: b',
        'from: b, to: c, condition: {type: output_equals, value: x}',
        'from: c, to: d',
      ),
      wrap(['b', 'c']),
      'The workflow may end at "b" now; wrapped, it would go on behind the selection.',
    ],
    [
      'a way out that asks for the status',
      asks('{type: status_is, value: failed}'),
      wrap(['b', 'c']),
      inside,
    ],
    [
      'a way out that asks for metadata in a part',
      asks(
        '{type: any_of, conditions: [{type: always}, {type: metadata_equals, key: k, value: 1}]}',
      ),
      wrap(['b', 'c']),
      inside,
    ],
    [
      'a way out that asks for the status turned round',
      asks('{type: not, condition: {type: status_is, value: failed}}'),
      wrap(['b', 'c']),
      inside,
    ],
    [
      'a loop with two last steps',
      graph('from: a, to: b, condition: {type: output_equals, value: x}', 'from: a, to: c'),
      wrap(['a', 'b', 'c'], { condition: AGAIN, rounds: 2 }),
      'A loop needs one last step, from which it begins again.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('steps that cannot be wrapped', () => {
  const cases: readonly (readonly [string, string, GraphOperation, string])[] = [
    [
      'a loop with a disabled step',
      LIST.replace('max_retries: 2', 'enabled: false'),
      wrap([1, 2], { condition: AGAIN, rounds: 2 }),
      '"check" is disabled. Leave it out of the loop.',
    ],
    [
      'a loop with two steps of one id',
      LIST.replace('id: tidy', 'id: check'),
      wrap([1, 2], { condition: AGAIN, rounds: 2 }),
      'Several of these steps have the id "check". Give each its own first.',
    ],
    ...[0, -1, 1.5].map(
      (rounds) =>
        [
          `a loop of ${rounds} rounds`,
          LIST,
          wrap([1, 2], { condition: AGAIN, rounds }),
          'A loop needs a limit of 1 round or more.',
        ] as const,
    ),
    [
      'the name of a workflow',
      `${LIST}  workflows:\n    inner: {type: sequential, steps: [{id: one, kind: agent, ref: writer}]}\n`,
      wrap([1]),
      'There is a workflow "inner" already.',
    ],
    [
      'the name of a step',
      LIST,
      wrap([1], null, 'tidy'),
      'There is a step "tidy" in this workflow already.',
    ],
    ['no name', LIST, wrap([1], null, ''), 'A name cannot be empty.'],
    [
      'steps of two workflows',
      `${LIST}  workflows:\n    side: {type: sequential, steps: [{id: one, kind: agent, ref: writer}]}\n`,
      { op: 'wrap', steps: [step(0), step(0, 'side')], name: 'inner', loop: null },
      'The steps stand in different workflows. Choose steps of one.',
    ],
    [
      'a step of no workflow',
      LIST,
      { op: 'wrap', steps: [step(0, 'gone')], name: 'inner', loop: null },
      'Choose the steps to wrap first.',
    ],
    [
      'a step that others fall back to',
      GRAPH,
      wrap(['tidy']),
      '"check" falls back to "tidy": both go into the new workflow, or none of them.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('nodes that a workflow of their own can hold', () => {
  test('the start, which nothing leads to, and a way out with a condition on the text', () => {
    const text = graph(
      'from: a, to: b',
      'from: b, to: c, condition: {type: not, condition: {type: output_equals, value: x}}',
      'from: c, to: d',
    );
    expect(made(text, wrap(['a', 'b']))).toEqual({
      text: `${text
        .replace('start: a', 'start: inner')
        .replace(node('a') + node('b'), '')
        .replace(node('d'), `${node('d')}    inner: {id: inner, kind: workflow, ref: inner}\n`)
        .replace('    - {from: a, to: b}\n', '')
        .replace('from: b, to: c', 'from: inner, to: c')}  workflows:
    inner:
      type: graph
      name: inner
      start: a
      nodes:
        a: {id: a, kind: agent, ref: ann}
        b: {id: b, kind: agent, ref: ann}
      edges:
      - {from: a, to: b}
`,
      notes: [],
      select: step('inner'),
    });
  });

  test('a node that nothing leads to or from has no edges inside', () => {
    const outcome = made(CHAIN.replace('    - {from: c, to: d}\n', ''), wrap(['d']));
    expect(outcome).toMatchObject({
      text: expect.stringContaining(`      start: d
      nodes:
        d: {id: d, kind: agent, ref: ann}
      edges: []
`),
    });
  });

  test('a loop begins again from the step that leads out', () => {
    const outcome = made(CHAIN, wrap(['b', 'c'], { condition: AGAIN, rounds: 4 }));
    expect(outcome).toMatchObject({
      text: expect.stringContaining(`      start: b
      max_steps: 8
      nodes:
        b: {id: b, kind: agent, ref: ann}
        c: {id: c, kind: agent, ref: ann}
      edges:
      - {from: b, to: c}
      - from: c
        to: b
`),
    });
    expect(outcome).toMatchObject({
      text: expect.stringContaining(
        '  edges:\n    - {from: a, to: inner}\n    - {from: inner, to: d}\ncomponents',
      ),
    });
  });

  test('all fields of a condition are written as they are given', () => {
    const condition: WrittenCondition = {
      type: 'any_of',
      conditions: [
        { type: 'output_contains', value: 'x', case_sensitive: true },
        { type: 'not', condition: { type: 'metadata_equals', key: 'k', value: 1 } },
      ],
    };
    expect(made(CHAIN, wrap(['d'], { condition, rounds: 1 }))).toMatchObject({
      text: expect.stringContaining(`        condition:
          type: any_of
          conditions:
          - type: output_contains
            value: x
            case_sensitive: true
          - type: not
            condition:
              type: metadata_equals
              key: k
              value: 1
`),
    });
  });
});

test('a bare name is written in full where it stands in a nested list', () => {
  const outcome = made(LIST.replace(' # short', ''), wrap([0]));
  expect(outcome).toMatchObject({
    text: expect.stringContaining(
      '      steps:\n      - id: writer\n        kind: agent\n        ref: writer\n',
    ),
    select: step(0),
  });
  expect(made(LIST, wrap([0]))).toEqual({
    problem: 'A comment in the text would be lost by it. Change it in the text.',
  });
});
