import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../../items/item.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const A = [
  { id: 1, v: 'x' },
  { id: 2, v: 'y' },
  { id: 3, v: 'z' },
];
const B = [
  { id: 2, v: 'y' },
  { id: 3, v: 'Z', w: 1 },
  { id: 4, v: 'q' },
];

async function compared(parameters: JsonObject, inputs = [A, B], version = 2.3) {
  const answer = await callHandler(evaluator, {
    type: 'compareDatasets',
    version,
    parameters: {
      mergeByFields: { values: [{ field1: 'id', field2: 'id' }] },
      options: {},
      ...parameters,
    },
    inputs: inputs.map((list) => (list.length === 0 ? null : list.map((json) => ({ json })))),
  });
  return fieldsOf(answer);
}

describe('Compare Datasets', () => {
  it('tells what is only in A, the same, different, and only in B', async () => {
    const [onlyA, same, different, onlyB] = await compared({});
    expect([onlyA, same, onlyB]).toEqual([[A[0]], [A[1]], [B[2]]]);
    expect(different).toEqual([
      {
        keys: { id: 3 },
        same: { id: 3 },
        different: { v: { inputA: 'z', inputB: 'Z' }, w: { inputA: null, inputB: 1 } },
        skipped: {},
      },
    ]);
  });

  it.each([
    [{ resolve: 'preferInput2' }, B[1]],
    [
      { resolve: 'mix', exceptWhenMix: 'w' },
      { id: 3, v: 'z', w: 1 },
    ],
    [
      { resolve: 'mix', preferWhenMix: 'input2', exceptWhenMix: 'v' },
      { id: 3, v: 'z', w: 1 },
    ],
  ])('gives of two that differ: %j', async (parameters, expected) => {
    expect((await compared(parameters))[2]).toEqual([expected]);
  });

  it('changes nothing of what it was given', async () => {
    const before = structuredClone(A);
    await compared({ resolve: 'mix', exceptWhenMix: 'v,w' });
    expect(A).toEqual(before);
  });

  it('has only what is there when an input gave nothing', async () => {
    expect(await compared({}, [A, []])).toEqual([A, [], [], []]);
    expect(await compared({}, [[], B])).toEqual([[], [], [], B]);
  });

  it('counts zero as empty from version 2.3 on, where it compares loosely', async () => {
    const inputs = [[{ id: 1, v: 0 }], [{ id: 1, v: null }]] as unknown as (typeof A)[];
    const sameOf = async (version: number) =>
      (await compared({ fuzzyCompare: true }, inputs, version))[1]?.length;
    expect([await sameOf(2.2), await sameOf(2.3)]).toEqual([0, 1]);
  });
});
