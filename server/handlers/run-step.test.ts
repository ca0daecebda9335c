import { describe, expect, it } from 'vitest';
import { givenWithoutRunning } from '../items/given-step.ts';
import type { Item, Outputs } from '../items/item.ts';
import { type Handler, type HandlerCall, type HandlerNode, StepFailure } from './handler.ts';
import { runStep, type StepConduct } from './run-step.ts';

const PLAIN: StepConduct = { alwaysOutput: false, retry: null };
const RUNS = { disabled: false, pinned: null };
const THRICE: StepConduct = { ...PLAIN, retry: { tries: 3, waitMs: 20 } };
const items = (...names: string[]): Item[] => names.map((name) => ({ json: { name } }));
const pairs = (outputs: Outputs | undefined) =>
  outputs?.map((list) => list?.map(({ pairedItem }) => pairedItem));

/** A handler that gives these answers one after another, and what it was called with. */
function answering(...answers: (Outputs | string)[]): { handler: Handler; seen: HandlerCall[] } {
  const seen: HandlerCall[] = [];
  const handler: Handler = async (call) => {
    seen.push(call);
    const answer = answers[seen.length - 1] ?? answers.at(-1) ?? [];
    if (typeof answer === 'string') throw new StepFailure(answer);
    return answer;
  };
  return { handler, seen };
}

function callOn(inputs: HandlerCall['inputs'], node: Partial<HandlerNode> = {}): HandlerCall {
  return {
    node: {
      name: 'step',
      type: 'any',
      version: 1,
      parameters: {},
      onError: 'stop',
      executeOnce: false,
      ...node,
    },
    inputs,
  } as HandlerCall;
}

async function pause(): Promise<void> {}

describe('a step that does not run', () => {
  it('passes its first input when it is disabled, whatever is pinned on it', () => {
    const conduct = { ...RUNS, disabled: true, pinned: items('pin') };
    const given = givenWithoutRunning([items('a', 'b'), items('c')], conduct);
    expect(given?.map((list) => list?.map(({ json }) => json['name']))).toEqual([['a', 'b']]);
    expect(pairs(given)).toEqual([[{ item: 0 }, { item: 1 }]]);
    expect(givenWithoutRunning([null, items('c')], conduct)).toEqual([[]]);
  });

  it('gives what is pinned, each made of the item at its place or of the only one', () => {
    const pinned = { ...RUNS, pinned: items('x', 'y') };
    expect(pairs(givenWithoutRunning([items('a', 'b')], pinned))).toEqual([
      [{ item: 0 }, { item: 1 }],
    ]);
    expect(pairs(givenWithoutRunning([items('a')], pinned))).toEqual([[{ item: 0 }, { item: 0 }]]);
    expect(pairs(givenWithoutRunning([items('a', 'b', 'c')], pinned))).toEqual([
      [undefined, undefined],
    ]);
    expect(givenWithoutRunning([items('a')], RUNS)).toBeUndefined();
  });
});

describe('a step that runs', () => {
  it('gets items that are made of themselves, and one of each input when it runs once', async () => {
    const { handler, seen } = answering([[]]);
    const inputs = [[{ json: {}, pairedItem: 7 }, { json: {} }], [{ json: {} }], null];
    await runStep(handler, callOn(inputs), PLAIN, pause);
    expect(pairs(seen[0]?.inputs.map((list) => list ?? []))).toEqual([
      [{ item: 0 }, { item: 1 }],
      [{ item: 0, input: 1 }],
      [],
    ]);
    expect(seen[0]?.inputs[2]).toBeNull();
    await runStep(handler, callOn(inputs, { executeOnce: true }), PLAIN, pause);
    expect(seen[1]?.inputs.map((list) => list?.length ?? null)).toEqual([1, 1, null]);
  });

  it('is tried again until it succeeds, with a pause before each further try', async () => {
    const { handler, seen } = answering('no', 'no', [items('ok')]);
    const pauses: number[] = [];
    const run = await runStep(handler, callOn([items('a')]), THRICE, async (ms) => {
      pauses.push(ms);
    });
    expect([seen.length, pauses, run.outputs[0]?.length]).toEqual([3, [20, 20], 1]);
  });

  it('ends the flow when the last try fails too', async () => {
    const { handler, seen } = answering('no');
    await expect(runStep(handler, callOn([items('a')]), THRICE, pause)).rejects.toThrow('no');
    expect(seen).toHaveLength(3);
  });

  it('is tried again when it goes on with an error in its first item', async () => {
    const { handler, seen } = answering([[{ json: { error: 'no' } }]], [items('ok')]);
    const run = await runStep(handler, callOn([items('a')]), THRICE, pause);
    expect([seen.length, run.outputs[0]?.[0]?.json]).toEqual([2, { name: 'ok' }]);
  });

  it.each(['regular_output', 'error_output'] as const)(
    'goes on with its input after an error (%s), and says why',
    async (onError) => {
      const { handler } = answering('broken');
      const run = await runStep(handler, callOn([items('a')], { onError }), PLAIN, pause);
      expect(run.failed).toBe('broken');
      expect(run.outputs).toEqual([[{ json: { name: 'a' }, pairedItem: { item: 0 } }]]);
    },
  );

  it('that is always to give something gives one empty item made of all', async () => {
    const always = { ...PLAIN, alwaysOutput: true };
    const inputs = [items('a', 'b'), items('c')];
    const { handler } = answering([[], items('other')], [items('own')]);
    expect((await runStep(handler, callOn(inputs), always, pause)).outputs).toEqual([
      [
        {
          json: {},
          pairedItem: [
            { item: 0, input: 0 },
            { item: 1, input: 0 },
            { item: 0, input: 1 },
          ],
        },
      ],
      items('other'),
    ]);
    expect((await runStep(handler, callOn(inputs), always, pause)).outputs).toEqual([items('own')]);
  });
});
