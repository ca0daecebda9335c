import { describe, expect, it } from 'vitest';
import { flowSpec } from '../../test/support/flow-specs.ts';
import {
  answer,
  callOf,
  gives,
  HANDLERS,
  programmed,
  run,
  step,
  visited,
  type Wires,
} from '../../test/support/flows.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import {
  apply,
  createdRun,
  drive,
  nextTime,
  settle,
  type TestHandlers,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

describe('merges and steps that nothing is said of', () => {
  const merge = {
    m: step('pass', {
      type: 'n8n-nodes-base.merge',
      inputs: [[{ step: 'l', output: 0 }], [{ step: 'h', output: 0 }]],
    }),
  };
  const arms = { s: step('split'), l: step('pass'), h: step('more'), ...merge };
  const wires: Wires = [
    ['s', 'l'],
    ['s', 'h', 1],
    ['l', 'm'],
    ['h', 'm'],
  ];
  const handlers = { ...HANDLERS, 'n8n.merge': HANDLERS['n8n.pass'] as TestHandlers[string] };
  const runOf = (order: string, input: Json) => {
    const program = programmed(arms, wires, { flow: { order } });
    return drive(program, testSetup(JSON.stringify(input)), handlers);
  };

  it('run with the arm that has items, and in the older order force the other', () => {
    expect(visited(runOf('v1', [{ n: 1 }]))).toEqual(['s', 'l', 'm']);
    expect(visited(runOf('v1', [{ n: 9 }]))).toEqual(['s', 'h', 'm']);
    expect(visited(runOf('v1', [{ n: 1 }, { n: 9 }]))).toEqual(['s', 'l', 'h', 'm']);
    const forced = runOf('v0', [{ n: 1 }]);
    expect(visited(forced)).toEqual(['s', 'l', 'h', 'm']);
    const { flow } = forced.points.at(-1)?.place ?? {};
    expect(flow?.count).toBe(4);
  });

  it('see null where nothing came', () => {
    const made = createdRun(programmed(arms, wires), testSetup('[{"n":9}]'));
    apply(made, { type: 'start', at: nextTime(made) });
    answer(made, gives([], [{ n: 9 }]));
    answer(made, gives([{ n: 10 }]));
    const call = callOf(made);
    expect(call.inputs[0]).toBeNull();
    expect(call.inputs[1]?.map(({ json }) => json)).toEqual([{ n: 10 }]);
    expect(call.source).toBeNull();
  });

  it('are run by their key, and a built-in step without settings is none', () => {
    const spec = flowSpec({ a: step('pass'), b: step('pass') }, [['a', 'b']]) as {
      metadata: { flow: { steps: JsonObject } };
    };
    delete spec.metadata.flow.steps['a'];
    const made = createdRun(programOf(JSON.stringify(spec)), testSetup('[{}]'));
    apply(made, { type: 'start', at: nextTime(made) });
    expect(() => callOf(made)).toThrow("says nothing of 'a'");
    answer(made, gives([{ n: 1 }]));
    expect(callOf(made).source).toEqual({ node: 'a', output: 0, run: 0 });
    settle(made, HANDLERS);
    expect(made.state.status).toBe('completed');
  });

  it('that are switched off hand on what never came, when they begin or are forced', () => {
    const off = run({ a: step('fails', { disabled: true }) }, [], { items: [] });
    expect(off.state).toMatchObject({ status: 'completed', output_text: '' });
    const never = flowSpec({ a: step('pass'), b: step('pass') }, []) as {
      workflow: { edges: unknown[] };
    };
    const none = { type: 'metadata_equals', key: 'output_0', value: 'x' };
    const conditions = [{ type: 'never' }, none];
    never.workflow.edges = [
      { from: 'a', to: 'b', condition: { type: 'any_of', conditions } },
      { from: 'a', to: 'b', condition: { type: 'not', condition: { type: 'always' } } },
    ];
    const program = programOf(JSON.stringify(never));
    expect(visited(drive(program, testSetup('[{}]'), HANDLERS))).toEqual(['a']);
  });
});
