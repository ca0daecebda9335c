import { describe, expect, test } from 'vitest';
import { openDocument } from '../../../../server/spec/language/open-document.ts';
import { analyseText } from '../spec-analysis.ts';
import { catalogueOf, found, freeName, placesOf } from './catalogue.ts';
import { conditionOf, EMPTY_ROW, rowsOf } from './condition-rows.ts';
import { connectFaults, graphEditAnswer } from './editing-model.ts';
import type { GraphEditing } from './editing-types.ts';
import { actionOfKey, lackOf, NOTHING_CHOSEN, stillThere } from './graph-actions.ts';

const TEXT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: writer}
    inner: {id: inner, kind: workflow, ref: part}
  edges:
    - {from: sort, to: inner, label: next}
components:
  agents:
    writer: {name: writer}
  workflows:
    part: {type: sequential, steps: [{id: one, kind: agent, ref: writer}]}
`;

function editing(text = TEXT): GraphEditing {
  const found = analyseText(openDocument(text), () => 0).editing;
  if (found === null) throw new Error('nothing is drawn');
  return found;
}

describe('what a drawing may change', () => {
  test('nodes and edges by their places, nested ones in their own workflow', () => {
    const { steps, lines, fault, workflows } = editing();
    expect(fault).toBeNull();
    expect(workflows).toEqual({ '': 'graph', part: 'sequential' });
    expect(Object.values(steps).map(({ at, key }) => [at.workflow, at.step, key])).toEqual([
      [null, 'sort', 'sort'],
      [null, 'inner', 'inner'],
      ['part', 0, 'one'],
    ]);
    expect(Object.values(lines)).toEqual([
      {
        at: { workflow: null, edge: 0 },
        from: 'sort',
        to: 'inner',
        label: 'next',
        condition: null,
      },
    ]);
  });

  test('where an edge cannot lead, by node', () => {
    const faults = connectFaults(openDocument(TEXT), { workflow: null, step: 'sort' });
    expect(faults).toEqual({
      'workflow.nodes.inner': '"sort" leads to "inner" already.',
      'workflow.nodes.inner>components.workflows.part.steps[0]':
        expect.stringContaining('another one'),
    });
  });

  test('edits are placed by line and column', () => {
    expect(
      graphEditAnswer(openDocument(TEXT), {
        op: 'delete_line',
        line: { workflow: null, edge: 0 },
      }),
    ).toMatchObject({
      edits: [{ text: ' []', range: { startLine: 9 } }, { range: { startLine: 10 } }],
    });
  });
});

describe('the builder of conditions', () => {
  test('what it shows it writes again', () => {
    for (const condition of [
      null,
      { type: 'never' },
      { type: 'output_contains', value: 'a', case_sensitive: true },
      { type: 'not', condition: { type: 'status_is', value: 'failed' } },
      {
        type: 'any_of',
        conditions: [
          { type: 'variable_equals', key: 'tries', value: 3 },
          { type: 'metadata_equals', key: 'kind', value: true },
        ],
      },
    ] as const) {
      const rows = rowsOf(condition as Parameters<typeof rowsOf>[0]);
      expect(rows && conditionOf(rows)).toEqual(condition);
    }
  });

  test('a deeper one is left to the text', () => {
    const inner = { type: 'all_of', conditions: [{ type: 'always' }] } as const;
    expect(rowsOf({ type: 'not', condition: inner } as never)).toBeUndefined();
    expect(conditionOf({ when: 'all', rows: [EMPTY_ROW] })).toEqual({ type: 'output_contains' });
  });
});

describe('the catalogue', () => {
  test('is searched by all words, and names are free', () => {
    const all = catalogueOf(editing());
    expect(found(all, 'new HUMAN').map(({ kind }) => kind)).toEqual(['human']);
    expect(found(all, 'part').map(({ ref }) => ref)).toEqual(['part']);
    expect(freeName('a', new Set(['a', 'a_2']))).toBe('a_3');
  });

  test('offers the places of its kind of workflow', () => {
    expect(placesOf(editing(), null).map(({ label }) => label)).toEqual([
      'After "sort", with an edge',
      'After "inner", with an edge',
      'Between "sort" and "inner"',
      'Alone, without an edge',
    ]);
    expect(placesOf(editing(), 'part').map(({ place }) => place)).toEqual([
      { in: 'list', index: 0 },
      { in: 'list', index: 1 },
    ]);
  });
});

test('keys mean what the toolbar says, and an action says what it lacks', () => {
  const key = (name: string, held: object = {}) => ({
    ...{ key: name, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
    ...held,
  });
  expect(actionOfKey(key('F2'), false)).toBe('rename');
  expect(actionOfKey(key('F2'), true)).toBe('condition');
  expect(actionOfKey(key('Enter', { altKey: true }), false)).toBe('connect');
  expect(actionOfKey(key('f'), true)).toBe('fallback');
  expect(actionOfKey(key('f'), false)).toBeUndefined();
  expect(lackOf('fallback', NOTHING_CHOSEN)).toBe('Choose an edge first.');
  expect(actionOfKey(key('ArrowDown', { altKey: true }), false)).toBe('later');
  expect(actionOfKey(key('Z', { ctrlKey: true, shiftKey: true }), false)).toBe('redo');
  expect(actionOfKey(key('Enter', { ctrlKey: true }), false)).toBeUndefined();
  expect(lackOf('rename', NOTHING_CHOSEN)).toBe('Choose one step first.');
  expect(lackOf('add', NOTHING_CHOSEN)).toBeUndefined();
  expect(stillThere({ nodes: ['gone'], line: 'gone' }, editing())).toEqual(NOTHING_CHOSEN);
});
