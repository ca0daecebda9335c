import { describe, expect, it } from 'vitest';
import { type FlowSpecStep, flowSpec } from '../../test/support/flow-specs.ts';
import {
  answer,
  callOf,
  gives,
  HANDLERS,
  programmed,
  run,
  started,
  step,
  visited,
  type Wires,
} from '../../test/support/flows.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { CallFunction } from './effect.ts';
import { flowCallOf } from './flow-call.ts';
import { flowRunsOf } from './flow-record.ts';
import { readFlowAnswer } from './flow-run.ts';
import { BuildFailure } from './program.ts';
import { toRunFields } from './run-fields.ts';
import {
  apply,
  createdRun,
  decide,
  drive,
  nextTime,
  rerunOf,
  settle,
  type TestHandlers,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

// Item flows by themselves (decision record 0024).

describe('an item flow', () => {
  it('follows every output that has items, and ends with those of the last step', () => {
    const steps = { a: step('more'), b: step('split'), low: step('pass'), high: step('more') };
    const wires: Wires = [
      ['a', 'b'],
      ['b', 'low'],
      ['b', 'high', 1],
    ];
    const ended = run(steps, wires, [{ n: 1 }, { n: 5 }]);
    expect([ended.state.status, visited(ended)]).toEqual(['completed', ['a', 'b', 'low', 'high']]);
    expect(ended.state.output_text).toBe('{"n":7}');
    expect(visited(run(steps, wires, [{ n: 1 }]))).toEqual(['a', 'b', 'low']);
  });

  it('ends where nothing is given, with no text', () => {
    for (const type of ['none', 'null']) {
      const ended = run({ a: step(type), b: step('pass') }, [['a', 'b']]);
      expect([visited(ended), ended.state.output_text]).toEqual([['a'], '']);
    }
  });

  it('goes round a circle until its cap', () => {
    const ended = run({ a: step('more') }, [['a', 'a']], [{ n: 0 }], { max_steps: 5 });
    expect(ended.state).toMatchObject({ status: 'failed', error: { type: 'max_iterations' } });
  });

  it('asks conditions of other kinds of the text that a step gave', () => {
    const spec = flowSpec({ a: step('pass'), yes: step('pass'), no: step('pass') }, []) as {
      workflow: { edges: unknown[] };
    };
    const says = (value: string) => ({ type: 'output_contains', value });
    const both = [{ type: 'metadata_equals', key: 'output_0', value: true }, says('"x"')];
    spec.workflow.edges = [
      { from: 'a', to: 'yes', condition: { type: 'all_of', conditions: both } },
      { from: 'a', to: 'no', condition: says('zzz') },
      { from: 'a', to: 'no', condition: { type: 'metadata_equals', key: 'other', value: true } },
    ];
    const program = programOf(JSON.stringify(spec));
    expect(visited(drive(program, testSetup('[{"v":"x"}]'), HANDLERS))).toEqual(['a', 'yes']);
  });

  it('fails with its step, and goes on there', () => {
    const handlers: Record<string, TestHandlers[string]> = { ...HANDLERS };
    const program = programmed({ a: step('more'), b: step('fails') }, [['a', 'b']]);
    const failed = drive(program, testSetup('[{"n":1}]'), handlers);
    expect(failed.state).toMatchObject({ status: 'failed', error: { message: 'it cannot' } });
    handlers['n8n.fails'] = HANDLERS['n8n.more'] as TestHandlers[string];
    apply(failed, { type: 'continued', at: nextTime(failed), masked: true });
    settle(failed, handlers);
    expect(failed.state).toMatchObject({ status: 'completed', output_text: '{"n":3}' });
    expect(toRunFields(failed.state).metadata).toMatchObject({ masked_origin: true });
  });

  it('hands the input of a failed step on where the step is to go on', () => {
    const steps = {
      a: step('more'),
      b: step('fails', { node: { on_error: 'continue' } }),
      c: step('more'),
    };
    const ended = run(steps, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(ended.state).toMatchObject({ status: 'completed', output_text: '{"n":3}' });
  });

  it('has failed where its last step did, though the source goes on with its input', () => {
    const last = run({ a: step('goesOn') }, []);
    expect(last.state).toMatchObject({ status: 'failed', error: { message: 'it failed' } });
    const before = run({ a: step('goesOn'), b: step('pass') }, [['a', 'b']]);
    expect(before.state.status).toBe('completed');
  });

  it('answers what a step responds with', () => {
    const ended = run({ a: step('answers'), b: step('more') }, [['a', 'b']]);
    expect(ended.state.output_text).toBe('{"ok":true}');
    const told = run({ a: step('says') }, []);
    expect(told.state.output_text).toBe('in words');
  });

  it('waits until a step says, and stops where its step is no flow answer', () => {
    const waiting = run({ a: step('waits'), b: step('more') }, [['a', 'b']]);
    const [timer] = waiting.queue;
    expect(timer).toMatchObject({ kind: 'start_timer', reason: 'flow_wait', due_at: 9e15 });
    apply(waiting, { type: 'timer_fired', at: nextTime(waiting), effect_id: timer?.id ?? '' });
    waiting.queue.splice(0, 1);
    settle(waiting, HANDLERS);
    expect(waiting.state).toMatchObject({ status: 'completed', output_text: '{"n":2}' });
    expect(() => run({ a: step('wrong') }, [])).toThrow('gives an object');
  });

  it('hands on what a disabled or a pinned step has without running it', () => {
    const steps = { a: step('more'), b: step('fails', { disabled: true }), c: step('fails') };
    const wires: Wires = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const input = { items: [{ n: 1 }], pinned: { c: [{ pinned: 'yes' }] } };
    const ended = run(steps, wires, input);
    expect(ended.state).toMatchObject({ status: 'completed', output_text: 'yes' });
    const flow = ended.points.at(-1)?.place?.flow;
    const wf = ended.program.root_workflow;
    if (flow === undefined || wf?.shape !== 'graph' || wf.flow === undefined)
      throw new Error('no flow');
    expect(
      flowRunsOf({ root: wf.flow.settings, called: {} }, flow).map(({ name, pinned }) => [
        name,
        pinned,
      ]),
    ).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ]);
  });

  it('begins with the trigger that its input names', () => {
    const steps = { a: step('pass'), b: step('more', { name: 'The other' }) };
    expect(visited(run(steps, [], { trigger: 'b', items: [{}] }))).toEqual(['b']);
    expect(visited(run(steps, [], { trigger: 'The other', items: [{}] }))).toEqual(['b']);
    const none = run(steps, [], { trigger: 'nobody', items: [{}] });
    expect(none.state.error?.message).toContain("no trigger 'nobody'");
  });
});

describe('steps of text', () => {
  const agents = { components: { agents: { ask: { name: 'ask' } } } };
  const ask = (more: Partial<FlowSpecStep> = {}): FlowSpecStep => ({
    kind: 'agent',
    type: 'agent',
    ...more,
  });

  it('are asked for each item, by what it says or by their prompt', () => {
    const wires: Wires = [
      ['a', 'ask'],
      ['ask', 'b'],
    ];
    const two = [{ text: 'one' }, { text: 'two' }];
    const steps = { a: step('pass'), ask: ask(), b: step('pass') };
    expect(JSON.parse(run(steps, wires, two, agents).state.output_text ?? '')).toEqual([
      { output: 'Final answer: one' },
      { output: 'Final answer: two' },
    ]);
    const prompted = { ...steps, ask: ask({ prompt: '={{ $json.text }}?' }) };
    expect(JSON.parse(run(prompted, wires, two, agents).state.output_text ?? '')).toEqual([
      { output: 'Final answer: first?' },
      { output: 'Final answer: second?' },
    ]);
  });

  it('fail with their prompt', () => {
    const program = programmed({ ask: ask({ prompt: '={{ x }}' }) }, [], agents);
    const ended = drive(program, testSetup('{}'), {});
    expect(ended.state.error?.message).toContain("no handler 'n8n.prompt'");
    const odd = { 'n8n.prompt': () => 'one text' };
    expect(() => drive(program, testSetup('{}'), odd)).toThrow('one text for each item');
  });

  it('that are people are asked once, and each item goes on with the answer', () => {
    const humans = { components: { humans: { who: { request_type: 'freeform' } } } };
    const steps: Record<string, FlowSpecStep> = {
      a: step('pass'),
      who: { kind: 'human', type: 'wait' },
      b: step('pass'),
    };
    const wires: Wires = [
      ['a', 'who'],
      ['who', 'b'],
    ];
    const blocked = run(steps, wires, [{ n: 1 }, { n: 2 }], humans);
    expect(blocked.state.status).toBe('blocked');
    decide(blocked, { decision: 'provided', content: 'go' }, HANDLERS);
    expect(JSON.parse(blocked.state.output_text ?? '')).toEqual([
      { n: 1, output: 'go' },
      { n: 2, output: 'go' },
    ]);
    const first = run({ who: { kind: 'human', type: 'wait' } }, [], { items: [] }, humans);
    decide(first, { decision: 'provided', content: 'go' }, HANDLERS);
    expect(first.state.output_text).toBe('go');
  });

  it('give what a workflow guardrail left of them', () => {
    const spec = flowSpec({ a: step('pass') }, []) as JsonObject & { agent: JsonObject };
    spec.agent = {
      name: 'desk',
      guardrails: {
        workflow: [{ id: 'g', type: 'regex', action: 'redact', config: { patterns: ['secret'] } }],
      },
    };
    const ended = drive(programOf(JSON.stringify(spec)), testSetup('[{"v":"secret"}]'), HANDLERS);
    expect(ended.state.status).toBe('completed');
    expect(ended.state.output_text).not.toContain('secret');
  });
});

describe('what a built-in step is called with', () => {
  const steps = { a: step('pass'), m: step('pass', { inputs: [[{ step: 'a', output: 0 }], []] }) };

  it('is its input, its settings and the record of the steps before', () => {
    const run = started(steps, [['a', 'm']], [{ n: 1 }]);
    expect(callOf(run)).toMatchObject({ source: null, runIndex: 0, count: 0, kept: {} });
    expect(callOf(run).inputs).toEqual([[{ json: { n: 1 } }]]);
    answer(run, { ...(gives([{ n: 2 }]) as JsonObject), context: { seen: 1 } });
    const call = callOf(run);
    expect(call).toMatchObject({ source: { node: 'a', output: 0, run: 0 }, count: 1 });
    expect(call.inputs[0]?.map(({ json }) => json)).toEqual([{ n: 2 }]);
    expect(call.record.get('a')?.[0]).toMatchObject({ context: { seen: 1 } });
    expect(call.record.get('a')?.[0]?.outputs[0]?.[0]?.json).toEqual({ n: 2 });
    expect([...call.shape.nodes.keys()]).toEqual(['a', 'm']);
    expect(call.shape.connections).toMatchObject([{ from: 'a', to: 'm', input: 0 }]);
    expect(callOf(run).shape).toBe(call.shape);
  });

  it('is what it kept, the next time', () => {
    const run = started({ a: step('pass') }, [['a', 'a']]);
    answer(run, { ...(gives([{ n: 2 }]) as JsonObject), context: { seen: 1 } });
    expect(callOf(run)).toMatchObject({ kept: { seen: 1 }, runIndex: 1 });
  });

  it('is nothing of a run that is no flow', () => {
    const run = started(steps, []);
    const [effect] = run.queue;
    const other = programOf(JSON.stringify({ version: 'v1', agent: { name: 'desk' } }));
    expect(() => flowCallOf(other, run.state, effect as CallFunction)).toThrow(
      'none of an item flow',
    );
    const gone = { ...(effect as CallFunction), id: 'x999' };
    expect(() => flowCallOf(run.program, run.state, gone)).toThrow('none of an item flow');
    const asking = createdRun(other, testSetup('hi', 'agent'));
    apply(asking, { type: 'start', at: nextTime(asking) });
    const call = { ...(effect as CallFunction), id: asking.queue[0]?.id ?? '' };
    expect(() => flowCallOf(other, asking.state, call)).toThrow('none of an item flow');
  });
});

describe('places of a flow', () => {
  const steps = { a: step('more'), b: step('more'), c: step('more') };
  const wires: Wires = [
    ['a', 'b'],
    ['b', 'c'],
  ];

  it('are gone on from with the record of the steps before', () => {
    const whole = run(steps, wires, [{ n: 0 }]);
    const at = whole.checkpoints.findIndex(({ node_id }) => node_id === 'a');
    const again = rerunOf(whole, at);
    apply(again, { type: 'start', at: nextTime(again) });
    settle(again, HANDLERS);
    expect(again.state.output_text).toBe('{"n":3}');
  });

  it('are not edited, and not gone on from where a step is missing', () => {
    const whole = run(steps, wires, [{ n: 0 }]);
    const at = whole.checkpoints.findIndex(({ node_id }) => node_id === 'a');
    expect(() => rerunOf(whole, at, { input: 'x' })).toThrow('refused: input');
    expect(() => rerunOf(whole, at, { next_step: 'c' })).toThrow('refused: next_step');
    const { program: _, ...rest } = whole;
    const other = programmed({ a: step('more'), c: step('more') }, [['a', 'c']]);
    expect(() => rerunOf({ ...rest, program: other }, at)).toThrow('refused: point');
    const plain = programOf(JSON.stringify({ ...flowSpec(steps, wires), metadata: {} }));
    expect(() => rerunOf({ ...rest, program: plain }, at)).toThrow('refused: point');
  });
});

describe('forms', () => {
  it('that are none are refused with their place', () => {
    const odd = (flow: unknown) => () =>
      programOf(JSON.stringify({ ...flowSpec({ a: step('pass') }, []), metadata: { flow } }));
    expect(odd({ source: 'n8n' })).toThrow(BuildFailure);
    expect(odd(7)).toThrow('metadata.flow');
  });

  it('of an answer are read strictly', () => {
    expect(() => readFlowAnswer({ outputs: 1 })).toThrow('gives outputs');
    expect(() => readFlowAnswer({ outputs: [7] })).toThrow('no known form');
    expect(() => readFlowAnswer({ outputs: [{ count: 1 }] })).toThrow('no known form');
    expect(readFlowAnswer({ outputs: [null], context: { a: 1 }, response: {} })).toEqual({
      outputs: [null],
      context: { a: 1 },
      response: {},
    });
    expect(readFlowAnswer({ outputs: [] })).toEqual({ outputs: [] });
  });
});
