import { afterAll, describe, expect, test } from 'vitest';
import { adds, code, type FlowSpecStep, flowSpec } from '../../../test/support/flow-specs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { createRehearsals, type RehearsalOf } from './run-rehearsal.ts';

const rehearsals = createRehearsals();
afterAll(() => rehearsals.close());

const trigger: FlowSpecStep = { type: 'n8n-nodes-base.manualTrigger' };

function rehearse(spec: unknown, more: Partial<RehearsalOf> = {}) {
  const analysis = { spec: spec as JsonObject, gaps: [] };
  return rehearsals.rehearse({
    analysis,
    pinned: {},
    trigger: undefined,
    items: undefined,
    ...more,
  });
}

/** Two triggers that lead to one step. */
function twoTriggers() {
  const spec = flowSpec(
    {
      start: { type: 'n8n-nodes-base.noOp', parameters: { triggers: ['first', 'second'] } },
      first: trigger,
      second: { ...trigger, name: 'Second one' },
      end: adds('from', '={{ $prevNode.name }} {{ $json.n }}'),
    },
    [
      ['start', 'first'],
      ['start', 'second', 1],
      ['first', 'end'],
      ['second', 'end'],
    ],
  );
  return spec;
}

describe('a rehearsal', () => {
  test('runs with the given items and what is pinned, and tells each run by its name', async () => {
    const spec = flowSpec(
      { T: trigger, Fetch: code('throw new Error("asked")'), End: adds('a', '={{ $json.n }}') },
      [
        ['T', 'Fetch'],
        ['Fetch', 'End'],
      ],
    );
    const pinned = { T: [{ json: { never: true } }], Fetch: [{ json: { n: 5 } }, { n: 6 }] };
    expect(await rehearse(spec, { items: [{ x: 1 }], pinned })).toEqual({
      status: 'success',
      runs: [
        { node: 'T', run: 0, outputs: { main: [[{ json: { x: 1 } }]] } },
        { node: 'Fetch', run: 0, outputs: { main: [[{ json: { n: 5 } }, { json: { n: 6 } }]] } },
        {
          node: 'End',
          run: 0,
          outputs: { main: [[{ json: { n: 5, a: '5' } }, { json: { n: 6, a: '6' } }]] },
        },
      ],
      error: null,
      gaps: [],
    });
  });

  test('begins with the trigger that is named, else with the first one that is pinned', async () => {
    const last = async (more: Partial<RehearsalOf>) =>
      (await rehearse(twoTriggers(), more)).runs.at(-1)?.outputs.main[0]?.[0]?.json['from'];
    expect(await last({})).toBe('first ');
    expect(await last({ pinned: { 'Second one': [{ n: 2 }] } })).toBe('Second one 2');
    expect(
      await last({ pinned: { 'Second one': [{}] }, trigger: 'first', items: [{ n: 3 }] }),
    ).toBe('first 3');
    await expect(rehearse(twoTriggers(), { trigger: 'nobody' })).rejects.toThrow(
      "no node 'nobody'; it begins with 'first', 'Second one'",
    );
  });

  test('that fails names the node, which gave nothing', async () => {
    const spec = flowSpec({ T: trigger, Bad: code('throw new Error("broken")') }, [['T', 'Bad']]);
    const { status, runs, error } = await rehearse(spec);
    expect(status).toBe('error');
    expect(error).toEqual({ node: 'Bad', message: 'broken [line 1]' });
    expect(runs.at(-1)).toEqual({ node: 'Bad', run: 0, outputs: { main: [] } });
  });

  test('does not wait, and nobody answers for a model, a person or a function', async () => {
    const wait = { amount: 5, unit: 'hours' };
    const spec = (end: FlowSpecStep) =>
      flowSpec(
        { T: trigger, Wait: { type: 'n8n-nodes-base.wait', version: 1.1, parameters: wait }, end },
        [
          ['T', 'Wait'],
          ['Wait', 'end'],
        ],
        {
          components: {
            agents: { end: { name: 'end' } },
            humans: { end: { description: 'Go on?', request_type: 'freeform' } },
            functions: { end: { implementation: 'desk.work' } },
          },
        },
      );
    const type = 'any';
    const told = [];
    for (const kind of ['agent', 'human', 'function'] as const) {
      const { error } = await rehearse(spec({ kind, type }));
      told.push([error?.node, error?.message]);
    }
    expect(told).toEqual([
      ['end', expect.stringContaining('A rehearsal has no model')],
      ['end', 'The run waits for a person.'],
      ['end', expect.stringContaining("A rehearsal has no function 'desk.work'")],
    ]);
    const { status } = await rehearse(spec({ kind: 'agent', type }), { pinned: { end: [{}] } });
    expect(status).toBe('success');
  });

  test('shows secrets of its items as they are: nothing of it is stored', async () => {
    const spec = flowSpec({ T: trigger }, []);
    const { runs } = await rehearse(spec, { items: [{ password: 'x', mail: 'a@b.example' }] });
    expect(runs[0]?.outputs.main[0]?.[0]?.json).toEqual({ password: 'x', mail: 'a@b.example' });
  });

  test('of a draft that cannot run at all says so', async () => {
    const plain = { version: 'v1', agent: { name: 'desk' } };
    expect(await rehearse(plain)).toMatchObject({ status: 'error', runs: [] });
    const wrong = flowSpec({ T: trigger }, [], { flow: { order: 'v9' } });
    expect((await rehearse(wrong)).error?.message).toContain('gaps say why');
    const open = { ...flowSpec({ T: trigger }, []), agent: 7 };
    expect((await rehearse(open)).error).toMatchObject({ node: null });
  });
});
