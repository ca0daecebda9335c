import { describe, expect, test } from 'vitest';
import type { GraphOperation } from '../edit/graph/operation.ts';
import { GRAPH, LIST, made, step } from './testing/drawn-texts.ts';

describe('what the language cannot say is refused with the reason', () => {
  const human = (text: string): string =>
    text.replace('components:\n', 'components:\n  humans: {lead: {description: Good?}}\n');
  const cases: readonly (readonly [string, string, GraphOperation, string])[] = [
    [
      'an edge in a list',
      LIST,
      { op: 'connect', from: step(0), to: step(2), condition: null },
      'sequential',
    ],
    [
      'an edge twice',
      GRAPH,
      { op: 'connect', from: step('check'), to: step('tidy'), condition: null },
      'already',
    ],
    ['an order of nodes', GRAPH, { op: 'move_step', at: step('check'), by: 1 }, 'edges'],
    ['before the first', LIST, { op: 'move_step', at: step(0), by: -1 }, 'first'],
    ['a taken name', GRAPH, { op: 'rename_step', at: step('check'), name: 'tidy' }, 'already'],
    [
      'a taken id',
      LIST,
      {
        op: 'add_step',
        workflow: null,
        id: 'tidy',
        kind: 'agent',
        ref: 'writer',
        declare: false,
        place: { in: 'list', index: 0 },
      },
      'already',
    ],
    [
      'an unknown part',
      LIST,
      {
        op: 'add_step',
        workflow: null,
        id: 'x',
        kind: 'agent',
        ref: 'nobody',
        declare: false,
        place: { in: 'list', index: 0 },
      },
      'nobody',
    ],
    [
      'a condition that lacks a part',
      GRAPH,
      {
        op: 'set_condition',
        line: { workflow: null, edge: 1 },
        condition: { type: 'output_contains' },
      },
      'needs a value',
    ],
    ['a gap', LIST, { op: 'wrap', steps: [step(0), step(2)], name: 'x', loop: null }, 'gap'],
    [
      'a fallback apart',
      GRAPH,
      { op: 'wrap', steps: [step('check')], name: 'x', loop: null },
      'falls back',
    ],
    [
      'a person inside',
      human(LIST).replace('kind: function, ref: tidy', 'kind: human, ref: lead'),
      { op: 'wrap', steps: [step(2)], name: 'x', loop: null },
      'cannot pause',
    ],
    [
      'an older version',
      'root_agent: {name: a}\nroot_workflow: [a]\ncomponent_agents: {a: {name: a}}\n',
      { op: 'delete_step', at: step(0) },
      'older version',
    ],
    ['a broken text', `${GRAPH}x: [`, { op: 'delete_step', at: step('sort') }, 'Mend it'],
    [
      'the last step',
      LIST.replace(/ {4}# checks[\s\S]*tidy, kind.*\n/, ''),
      { op: 'delete_step', at: step(0) },
      'at least one',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, words) => {
    expect(made(text, operation)).toEqual({ problem: expect.stringContaining(words) });
  });

  test('what anchors share', () => {
    const shared = GRAPH.replace('edges:', 'edges: &all').replace(
      'components:\n',
      'components:\n  workflows:\n    other: {type: graph, start: sort, nodes: {sort: {id: sort, kind: agent, ref: writer}, check: {id: check, kind: agent, ref: writer}, tidy: {id: tidy, kind: agent, ref: writer}}, edges: *all}\n',
    );
    expect(made(shared, { op: 'delete_line', line: { workflow: null, edge: 1 } })).toEqual({
      problem: expect.stringContaining('anchor'),
    });
  });
});
