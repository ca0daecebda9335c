import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { type Choices, mergeValues } from './merge-values.ts';

type Three = readonly [base: Json | undefined, ours: Json | undefined, theirs: Json | undefined];

/** What is merged of three documents that differ in one place only. */
function merged(
  documentOf: (value: Json | undefined) => JsonObject,
  [base, ours, theirs]: Three,
  choices: Choices = {},
) {
  const sides = { base: documentOf(base), ours: documentOf(ours), theirs: documentOf(theirs) };
  const { value, conflicts } = mergeValues(sides, choices);
  return { value, told: conflicts.map(({ text }) => text), conflicts };
}

function holding(key: string, more: JsonObject = {}) {
  return (value: Json | undefined): JsonObject =>
    value === undefined ? more : { ...more, [key]: value };
}

const inTools = (value: Json | undefined): JsonObject => ({
  agent: { name: 'desk', tools: holding('include', { permissions: {} })(value) },
});
const inGraph = (key: string) => (value: Json | undefined) => ({
  workflow: holding(key, { type: 'graph', start: 'a' })(value),
});
const inSteps = (value: Json | undefined): JsonObject => ({
  workflow: holding('steps', { type: 'sequential' })(value),
});

const step = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  kind: 'agent',
  ref: id,
  ...more,
});
const edge = (value: string): JsonObject => ({
  from: 'a',
  to: 'b',
  condition: { type: 'output_contains', value },
});

describe('sets of names', () => {
  test('both make a list that was not there: it holds the names of both', () => {
    const { value, told } = merged(inTools, [undefined, ['search'], ['fetch']]);
    expect(told).toEqual([]);
    expect(value).toEqual(inTools(['fetch', 'search']));
  });

  test('what either took away is gone, what either added is there', () => {
    const { value, told } = merged(inTools, [
      ['a', 'b', 'c'],
      ['b', 'c', 'd'],
      ['a', 'b'],
    ]);
    expect(told).toEqual([]);
    expect(value).toEqual(inTools(['b', 'd']));
  });

  test.each<[string, Three]>([
    ['one side empties it, which may grant everything', [['a'], [], ['a', 'b']]],
    ['the other side empties it', [['a'], ['a', 'b'], []]],
    ['one side writes a word instead of a list', [['a'], 'search', ['a', 'b']]],
    ['the other side writes a mapping', [['a'], ['a', 'b'], { all: true }]],
    ['a name stands twice', [['a'], ['a', 'a'], ['a', 'b']]],
    ['an item is no name', [['a'], ['a', null], ['a', 'b']]],
    ['it was no list before', ['all', ['a'], ['b']]],
  ])('a conflict of the whole list: %s', (_, three) => {
    const { value, conflicts } = merged(inTools, three);
    expect(conflicts.map(({ part, field }) => [part, field])).toEqual([
      ['the root agent', 'tools.include'],
    ]);
    expect(value).toEqual(inTools(three[1]));
    const [{ id } = { id: '' }] = conflicts;
    expect(merged(inTools, three, { [id]: 'theirs' }).value).toEqual(inTools(three[2]));
  });
});

describe('lists of steps and edges', () => {
  test('both make a list of steps that was not there', () => {
    const { value, told } = merged(inSteps, [undefined, [step('a')], [step('a'), step('b')]]);
    expect(told).toEqual([]);
    expect(value).toEqual(inSteps([step('a'), step('b')]));
  });

  test('both order the steps anew, each otherwise: one conflict, settled by a choice', () => {
    const three: Three = [
      [step('a'), step('b'), step('c')],
      [step('c'), step('a'), step('b')],
      [step('b'), step('c'), step('a')],
    ];
    const { value, conflicts } = merged(inSteps, three);
    expect(conflicts.map(({ kind, choices }) => [kind, choices])).toEqual([
      ['order', ['ours', 'theirs']],
    ]);
    expect(value).toEqual(inSteps(three[1]));
    const [{ id } = { id: '' }] = conflicts;
    expect(merged(inSteps, three, { [id]: 'theirs' }).value).toEqual(inSteps(three[2]));
  });

  test('a mapping where a list was, or a list where a mapping was, is one conflict', () => {
    const list: Three = [{ a: step('a') }, [step('a')], [step('b')]];
    expect(merged(inSteps, list).told).toHaveLength(1);
    expect(merged(inSteps, list).value).toEqual(inSteps(list[1]));
    const mapping: Three = [[step('a')], { a: step('a') }, [step('a'), step('b')]];
    expect(merged(inSteps, mapping).told).toHaveLength(1);
    expect(merged(inSteps, mapping).value).toEqual(inSteps(mapping[1]));
  });

  test('null, as an editor leaves it behind, against a changed value', () => {
    const three: Three = [[step('a')], null, [step('a', { enabled: false })]];
    const { value, told } = merged(inSteps, three);
    expect(told).toEqual([expect.stringContaining('the workflow: steps')]);
    expect(value).toEqual(inSteps(null));
  });

  test('edges that both draw between the same steps: either, or both', () => {
    const three: Three = [[], [edge('x')], [edge('y')]];
    const { value, conflicts } = merged(inGraph('edges'), three);
    expect(conflicts.map(({ kind, part, choices }) => [kind, part, choices])).toEqual([
      ['added', 'edge "a → b"', ['ours', 'theirs', 'both']],
    ]);
    expect(value).toEqual(inGraph('edges')([edge('x')]));
    const [{ id } = { id: '' }] = conflicts;
    const settled = (choice: 'theirs' | 'both') =>
      merged(inGraph('edges'), three, { [id]: choice }).value;
    expect(settled('theirs')).toEqual(inGraph('edges')([edge('y')]));
    expect(settled('both')).toEqual(inGraph('edges')([edge('x'), edge('y')]));
  });

  test('the same edge drawn by both is there once', () => {
    const { value, told } = merged(inGraph('edges'), [
      undefined,
      [edge('x')],
      [edge('x'), edge('y')],
    ]);
    expect(told).toEqual([]);
    expect(value).toEqual(inGraph('edges')([edge('x'), edge('y')]));
  });

  test('a node that one side deletes and the other changes', () => {
    const nodes = inGraph('nodes');
    const [before, after] = [step('b'), step('b', { enabled: false })];
    const gone = merged(nodes, [
      { a: step('a'), b: before },
      { a: step('a') },
      { a: step('a'), b: after },
    ]);
    expect(gone.told).toEqual(['step "b" was removed by you and changed by them']);
    expect(gone.value).toEqual(nodes({ a: step('a') }));
    const kept = merged(nodes, [{ b: before, a: step('a') }, { b: after }, { a: step('a') }]);
    expect(kept.told).toEqual(['step "b" was changed by you and removed by them']);
    expect(kept.value).toEqual(nodes({ b: after }));
  });
});

describe('settings of the author', () => {
  const metadata = holding('metadata');

  test('both make settings that were not there: they go together', () => {
    const { value, told } = merged(metadata, [undefined, { team: { a: 1 } }, { team: { b: 2 } }]);
    expect(told).toEqual([]);
    expect(value).toEqual({ metadata: { team: { a: 1, b: 2 } } });
  });

  test('one side deletes them all while the other changes one', () => {
    const three: Three = [{ team: 'x' }, undefined, { team: 'y' }];
    const { value, told } = merged(metadata, three);
    expect(told).toEqual([expect.stringContaining('was removed by you and changed by them')]);
    expect(value).toEqual({});
    const [{ id } = { id: '' }] = merged(metadata, three).conflicts;
    expect(merged(metadata, three, { [id]: 'theirs' }).value).toEqual({ metadata: { team: 'y' } });
  });

  test('a word where a mapping was, against a change in the mapping', () => {
    const { value, told } = merged(metadata, [{ team: 'x' }, 'none', { team: 'y' }]);
    expect(told).toHaveLength(1);
    expect(value).toEqual({ metadata: 'none' });
  });
});

test('a choice that a conflict does not offer leaves it open', () => {
  const three: Three = [['a'], [], ['b']];
  const [{ id } = { id: '' }] = merged(inTools, three).conflicts;
  const { conflicts, value } = merged(inTools, three, { [id]: 'both' });
  expect(conflicts.map(({ chosen }) => chosen)).toEqual([null]);
  expect(value).toEqual(inTools([]));
});
