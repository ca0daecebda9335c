import { describe, expect, test } from 'vitest';
import type { GraphOperation, StepPlace, WrittenCondition } from '../edit/graph/operation.ts';
import { graphEditFault } from './graph-edit.ts';
import { openDocument } from './open-document.ts';
import { GRAPH, LIST, made, step } from './testing/drawn-texts.ts';

type Case = readonly [name: string, text: string, operation: GraphOperation, problem: string];

const NO_STEP = 'This step is not in the text any more.';
const NO_EDGE = 'This edge is not in the text any more.';
const APART = 'Both ends of an edge stand in the same workflow; this step is in another one.';

/** The graph with a workflow of one step beside it, and a step of its own that runs it. */
const TWO = `${GRAPH}  workflows:
    inner: {type: sequential, steps: [{id: one, kind: agent, ref: writer}]}
`;

function added(
  id: string,
  place: StepPlace,
  more: Partial<Extract<GraphOperation, { op: 'add_step' }>> = {},
): GraphOperation {
  const component = { kind: 'agent', ref: 'writer', declare: false } as const;
  return { op: 'add_step', workflow: null, id, place, ...component, ...more };
}

function line(edge: number, workflow: string | null = null) {
  return { workflow, edge };
}

const FALLBACK = { workflow: null, fallback: 'check' } as const;
const FAILED: WrittenCondition = { type: 'status_is', value: 'failed' };

describe('what an operation names is not in the text', () => {
  const cases: readonly Case[] = [
    ['a node to delete', GRAPH, { op: 'delete_step', at: step('gone') }, NO_STEP],
    ['a position to delete', LIST, { op: 'delete_step', at: step(3) }, NO_STEP],
    ['a node by a position', GRAPH, { op: 'delete_step', at: step(0) }, NO_STEP],
    ['a workflow to delete from', LIST, { op: 'delete_step', at: step(0, 'gone') }, NO_STEP],
    ['a step to move', LIST, { op: 'move_step', at: step(9), by: -1 }, NO_STEP],
    ['a step to rename', LIST, { op: 'rename_step', at: step(9), name: 'x' }, NO_STEP],
    [
      'the source of an edge',
      GRAPH,
      { op: 'connect', from: step('gone'), to: step('tidy'), condition: null },
      'One of the two steps is not in the text any more.',
    ],
    [
      'the target of an edge',
      GRAPH,
      { op: 'connect', from: step('tidy'), to: step('gone'), condition: null },
      'One of the two steps is not in the text any more.',
    ],
    ['an edge to delete', GRAPH, { op: 'delete_line', line: line(3) }, NO_EDGE],
    ['an edge of a list', LIST, { op: 'delete_line', line: line(0) }, NO_EDGE],
    ['an edge of no workflow', GRAPH, { op: 'delete_line', line: line(0, 'gone') }, NO_EDGE],
    [
      'an edge to give a condition',
      GRAPH,
      { op: 'set_condition', line: line(7), condition: FAILED },
      NO_EDGE,
    ],
    [
      'an edge to lead elsewhere',
      GRAPH,
      { op: 'retarget', line: line(7), end: 'to', to: step('tidy') },
      NO_EDGE,
    ],
    [
      'a fallback of a step that has none',
      GRAPH,
      { op: 'delete_line', line: { workflow: null, fallback: 'sort' } },
      NO_EDGE,
    ],
    [
      'a fallback of a step that is gone',
      GRAPH,
      { op: 'delete_line', line: { workflow: null, fallback: 'gone' } },
      NO_EDGE,
    ],
    [
      'a fallback in a workflow that is gone',
      GRAPH,
      {
        op: 'retarget',
        line: { workflow: 'gone', fallback: 'check' },
        end: 'to',
        to: step('sort'),
      },
      NO_EDGE,
    ],
    [
      'the workflow of a new step',
      GRAPH,
      added('x', { in: 'graph' }, { workflow: 'gone' }),
      'There is no such workflow any more.',
    ],
    [
      'the node before a new one',
      GRAPH,
      added('x', { in: 'graph', after: 'gone' }),
      'There is no step "gone" any more.',
    ],
    [
      'the edge of a new node',
      GRAPH,
      added('x', { in: 'graph', on: 5 }),
      'There is no such edge any more.',
    ],
    [
      'a place past the end',
      LIST,
      added('x', { in: 'list', index: 4 }),
      'There is no such place in the list.',
    ],
    [
      'a place before the start',
      LIST,
      added('x', { in: 'list', index: -1 }),
      'There is no such place in the list.',
    ],
    [
      'nothing to wrap',
      LIST,
      { op: 'wrap', steps: [], name: 'x', loop: null },
      'Choose the steps to wrap first.',
    ],
    [
      'a step to wrap',
      LIST,
      { op: 'wrap', steps: [step(0), step(8)], name: 'x', loop: null },
      'One of the steps is not in the text any more.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('a new step does not fit', () => {
  const cases: readonly Case[] = [
    [
      'a node into a list',
      LIST,
      added('x', { in: 'graph' }),
      'The steps of this workflow stand in a list: a new one goes before or after another.',
    ],
    [
      'a position in a graph',
      GRAPH,
      added('x', { in: 'list', index: 0 }),
      'The nodes of a graph have no order: a new one goes behind another, or alone.',
    ],
    ['an empty id', LIST, added(' ', { in: 'list', index: 0 }), 'A name cannot be empty.'],
    [
      'an empty name of a new component',
      LIST,
      added('x', { in: 'list', index: 0 }, { ref: '', declare: true }),
      'A name cannot be empty.',
    ],
    [
      'a new component of a known name',
      LIST,
      added('x', { in: 'list', index: 0 }, { declare: true }),
      '"writer" is declared already. Choose it, or take another name.',
    ],
    [
      'a new workflow',
      LIST,
      added('x', { in: 'list', index: 0 }, { kind: 'workflow', ref: 'new', declare: true }),
      'A new workflow is made by wrapping steps that are there.',
    ],
    [
      'a workflow that nobody declared',
      GRAPH,
      added('x', { in: 'graph' }, { kind: 'workflow', ref: 'new' }),
      'There is no workflow "new" to run.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('an edge or a fallback cannot lead there', () => {
  const cases: readonly Case[] = [
    [
      'an edge into another workflow',
      TWO,
      { op: 'connect', from: step('tidy'), to: step(0, 'inner'), condition: null },
      APART,
    ],
    [
      'an edge with a condition into another workflow',
      TWO,
      { op: 'retarget', line: line(0), end: 'to', to: step(0, 'inner') },
      APART,
    ],
    [
      'an edge with a condition to a step that is gone',
      GRAPH,
      { op: 'retarget', line: line(0), end: 'to', to: step('gone') },
      APART,
    ],
    [
      'an edge to where it leads',
      GRAPH,
      { op: 'retarget', line: line(0), end: 'to', to: step('check') },
      'The edge stands there already.',
    ],
    [
      'an edge to where another one leads',
      GRAPH,
      { op: 'retarget', line: line(2), end: 'from', to: step('sort') },
      '"sort" leads to "tidy" already.',
    ],
    [
      'a fallback of another step',
      GRAPH,
      { op: 'retarget', line: FALLBACK, end: 'from', to: step('sort') },
      'A fallback belongs to its step. Set one at the other step instead.',
    ],
    [
      'a fallback in another workflow',
      TWO,
      { op: 'retarget', line: FALLBACK, end: 'to', to: step(0, 'inner') },
      'A fallback is a step of the same workflow.',
    ],
    [
      'a fallback that is gone',
      GRAPH,
      { op: 'retarget', line: FALLBACK, end: 'to', to: step('gone') },
      'A fallback is a step of the same workflow.',
    ],
    [
      'a fallback to the step itself',
      GRAPH,
      { op: 'retarget', line: FALLBACK, end: 'to', to: step('check') },
      'A step cannot stand in for itself.',
    ],
    [
      'a condition of a fallback',
      GRAPH,
      { op: 'set_condition', line: FALLBACK, condition: FAILED },
      'A fallback is taken when its step fails; it has no other condition.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('a text that no operation can edit', () => {
  const cases: readonly Case[] = [
    [
      'no complete spec',
      'version: v1\nagent: {name: desk}\nworkflow: {type: graph, nodes: [1]}\n',
      { op: 'delete_step', at: step('a') },
      'The text is no complete spec now. Mend it first; the findings are in Problems.',
    ],
    [
      'no workflow',
      'version: v1\nagent: {name: desk}\n',
      { op: 'delete_step', at: step(0) },
      'The spec has no workflow: its root agent answers alone. Write one in the text first.',
    ],
    [
      'no mapping',
      '- version: v1\n',
      { op: 'delete_step', at: step(0) },
      'The text cannot be read now. Mend it first; the findings are in Problems.',
    ],
    [
      'a workflow behind an alias',
      TWO.replace('    inner: {', '    first: &in {').concat('    inner: *in\n'),
      { op: 'move_step', at: step(0, 'inner'), by: 1 },
      'The workflow is written elsewhere in the text, behind an alias. Change it there.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });

  test('is known before there is an operation', () => {
    expect(graphEditFault(openDocument(GRAPH))).toBeUndefined();
    expect(graphEditFault(openDocument(`${GRAPH}x: [`))).toBe(
      'The text cannot be read now. Mend it first; the findings are in Problems.',
    );
  });
});
