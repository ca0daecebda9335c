import { describe, expect, it } from 'vitest';
import { type CallEnd, itemsCalled } from './called-items.ts';
import type { Item } from './item.ts';
import { originOf } from './pairing.ts';
import type { NodeRun } from './run-record.ts';
import { shownParameters } from './shown-parameters.ts';

const given: readonly Item[] = [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }];
const ok = (...values: number[]): CallEnd => ({ outputs: [values.map((v) => ({ json: { v } }))] });
const bad: CallEnd = { error: 'two' };
const once = { given, each: false, waits: true, onError: 'stop' } as const;

describe('the items of a step that called a workflow', () => {
  it('are those of the call; as many as went in are made of them one by one', () => {
    expect(itemsCalled(once, [ok(1, 2, 3)])[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0 },
      { item: 1 },
      { item: 2 },
    ]);
    expect(itemsCalled(once, [ok(1, 2)])[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      undefined,
      undefined,
    ]);
    expect(itemsCalled(once, [])).toEqual([[]]);
    expect(itemsCalled(once, [{ outputs: [null, []] }])).toEqual([null, []]);
  });

  it('have the error of a call in the output of its number', () => {
    const each = { ...once, each: true, onError: 'regular_output' } as const;
    const texts = itemsCalled(each, [ok(1), bad, ok(3)]).map((items) =>
      items?.map(({ json, pairedItem }) => [json, pairedItem]),
    );
    expect(texts).toEqual([
      [
        [{ v: 1 }, { item: 0 }],
        [{ v: 3 }, { item: 2 }],
      ],
      [[{ error: 'two' }, { item: 1 }]],
    ]);
    const aside = itemsCalled({ ...each, onError: 'error_output' }, [bad, bad, ok(3)]);
    expect(aside.map((items) => items?.map(({ json }) => json))).toEqual([
      [{ v: 3 }],
      [{ n: 1, error: 'two' }],
    ]);
  });

  it('of a call with several outputs stand in as many', () => {
    const both: CallEnd = { outputs: [null, [{ json: { v: 9 } }]] };
    expect(itemsCalled({ ...once, each: true }, [both])).toEqual([
      [],
      [{ json: { v: 9 }, pairedItem: { item: 0 } }],
    ]);
  });
});

describe('the item that one was first made of', () => {
  const step = (items: Item[], node: string | null): NodeRun => ({
    sources: node === null ? [] : [{ node, output: 0, run: 0 }],
    outputs: [items],
  });
  const place = { node: 'last', output: 0, run: 0, item: 0 };

  it('is found through every step, and not behind one that does not say', () => {
    const begin = step([{ json: {} }, { json: {} }], null);
    const last = step([{ json: {}, pairedItem: [{ item: 1 }, { item: 0 }] }], 'begin');
    expect(
      originOf(
        new Map([
          ['begin', [begin]],
          ['last', [last]],
        ]),
        place,
      ),
    ).toBe(1);
    const mute = step([{ json: {} }], 'begin');
    expect(
      originOf(
        new Map([
          ['begin', [begin]],
          ['last', [mute]],
        ]),
        place,
      ),
    ).toBeUndefined();
    const circle = step([{ json: {}, pairedItem: { item: 0 } }], 'last');
    expect(originOf(new Map([['last', [circle]]]), place)).toBeUndefined();
  });
});

it('settings are shown with the presets that an export leaves out, of two types', () => {
  const shown = (type: string, version: number, parameters = {}) =>
    shownParameters({ type: `n8n-nodes-base.${type}`, version, parameters });
  expect(shown('manualTrigger', 1)).toEqual({ notice: '' });
  expect(shown('set', 3.4, { mode: 'raw' })).toMatchObject({ mode: 'raw', duplicateItem: false });
  expect(shown('set', 2)).toEqual({});
});
