import { describe, expect, test } from 'vitest';
import { GRAPH, made, step } from './testing/drawn-texts.ts';

const edge = (index: number) =>
  ({ op: 'set_fallback', line: { workflow: null, edge: index } }) as const;

describe('an edge as a fallback', () => {
  test('its step names the target, and the edge goes; all else stays', () => {
    expect(made(GRAPH, edge(1))).toEqual({
      text: GRAPH.replace(
        'ref: writer} # first',
        'ref: writer, on_error: fallback, fallback_ref: tidy} # first',
      ).replace('    - {from: sort, to: tidy} # else\n', ''),
      notes: [],
      select: step('sort'),
    });
  });

  test('another fallback of the step is told', () => {
    const other = GRAPH.replace(
      '{id: tidy, kind: function, ref: tidy}\n  edges',
      '{id: tidy, kind: function, ref: tidy}\n    late: {id: late, kind: agent, ref: writer}\n  edges',
    ).replace('from: check\n      to: tidy', 'from: check\n      to: late');
    expect(made(other, edge(2))).toEqual({
      text: other
        .replace('fallback_ref: tidy', 'fallback_ref: late')
        .replace('    - from: check\n      to: late\n', ''),
      notes: ['"tidy" is no longer the fallback of "check".'],
      select: step('check'),
    });
  });

  test.each([
    ['an edge with a condition', GRAPH, edge(0), /Take the condition of the edge away first/],
    ['an edge that is gone', GRAPH, edge(7), /not in the text any more/],
    [
      'a fallback',
      GRAPH,
      { op: 'set_fallback', line: { workflow: null, fallback: 'check' } } as const,
      /fallback of its step already/,
    ],
    [
      'an edge to the step itself',
      GRAPH.replace('{from: sort, to: tidy}', '{from: sort, to: sort}'),
      edge(1),
      /cannot stand in for itself/,
    ],
    [
      'an edge to a person',
      GRAPH.replace(
        'tidy: {id: tidy, kind: function, ref: tidy}',
        'tidy: {id: tidy, kind: human, ref: lead}',
      ).replace('\n      on_error: fallback\n      fallback_ref: tidy', ''),
      edge(1),
      /cannot pause/,
    ],
    [
      'an edge of an imported item flow',
      GRAPH.replace('workflow:\n', 'metadata: {flow: {source: n8n, steps: {}}}\nworkflow:\n'),
      edge(1),
      /item flow have no fallback/,
    ],
  ])('%s is refused with the reason', (_, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
