import { describe, expect, it } from 'vitest';
import type { Item } from './item.ts';
import { createReader } from './reader.ts';
import type { NodeRun, WorkflowShape } from './run-record.ts';

const shape: WorkflowShape = {
  nodes: new Map(['start', 'sort', 'code', 'aside', 'here'].map((name) => [name, { of: name }])),
  connections: [
    { from: 'start', output: 0, to: 'sort', input: 0 },
    { from: 'start', output: 0, to: 'aside', input: 0 },
    { from: 'sort', output: 1, to: 'code', input: 0 },
    { from: 'code', output: 0, to: 'here', input: 0 },
  ],
};
const wish = { matches: true, earlierRuns: false };

function items(...list: [name: string, pairedItem?: Item['pairedItem']][]): Item[] {
  return list.map(([name, pairedItem]) =>
    pairedItem === undefined ? { json: { name } } : { json: { name }, pairedItem },
  );
}

function run(node: string | null, outputs: NodeRun['outputs'], output = 0): NodeRun {
  return { sources: node === null ? [] : [{ node, output, run: 0 }], outputs };
}

function readerAfter(code: Item[]) {
  const record = new Map<string, NodeRun[]>([
    ['start', [run(null, [items(['a'], ['b'], ['c'])])]],
    ['aside', [run('start', [items(['a', 0])])]],
    ['sort', [run('start', [[], items(['c', { item: 2 }], ['a', { item: 0 }])])]],
    ['code', [run('sort', [code], 1)]],
  ]);
  const source = { node: 'code', output: 0, run: 0 };
  return createReader({ shape, record, node: 'here', source, itemCount: code.length });
}

function found(reader: ReturnType<typeof readerAfter>, name: string): unknown[] {
  const { matches, sources } = reader.look(name, wish);
  return matches.map((match) => (typeof match === 'number' ? sources[match]?.json['name'] : match));
}

describe('an earlier step is read', () => {
  it('by what items were made of, through every step between', () => {
    const reader = readerAfter(items(['x', 1], ['y', { item: 0 }]));
    expect(found(reader, 'start')).toEqual(['a', 'c']);
    expect(found(reader, 'sort')).toEqual(['a', 'c']);
    expect(found(reader, 'code')).toEqual(['x', 'y']);
  });

  it('as several items when an item was made of several', () => {
    const reader = readerAfter(items(['x', [{ item: 0 }, { item: 1 }]]));
    expect(found(reader, 'start')).toEqual([{ error: 'Multiple matches found' }]);
  });

  it('not at all behind a step that does not say what its items were made of', () => {
    const [told] = found(readerAfter(items(['x'])), 'start') as [{ error: string }];
    expect(told.error).toContain("'code'");
  });

  it('by the output that leads here, and as unconnected when none does', () => {
    const reader = readerAfter(items(['x', 0]));
    expect(reader.look('sort', wish)).toMatchObject({ output: 1, connected: true, state: 'run' });
    expect(reader.look('aside', wish)).toMatchObject({ connected: false, state: 'run' });
    expect(reader.look('nobody', wish).state).toBe('unknown');
    expect(reader.look('here', wish).state).toBe('not_run');
  });

  it('across a loop by the source that an item names, not by that of the run', () => {
    const overwritten: Item = {
      json: { name: 'x' },
      pairedItem: { item: 1, sourceOverwrite: { previousNode: 'start' } },
    };
    expect(found(readerAfter([overwritten]), 'start')).toEqual(['b']);
  });

  it('in circles without end', () => {
    const circle: NodeRun = run('code', [items(['x', 0])]);
    const reader = createReader({
      shape,
      record: new Map([['code', [circle]]]),
      node: 'here',
      source: { node: 'code', output: 0, run: 0 },
      itemCount: 1,
    });
    expect(reader.look('start', wish)).toMatchObject({ state: 'not_run' });
  });
});
