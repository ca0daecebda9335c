import { describe, expect, it } from 'vitest';
import { calledFlowSpec, type FlowSpecStep, flowSpec } from '../../test/support/flow-specs.ts';
import { gives, HANDLERS, step, visited, type Wires } from '../../test/support/flows.ts';
import { calledFlows, flowSettings } from '../contract/flow.ts';
import type { JsonObject } from '../kernel/json.ts';
import { itemsOf } from './append-list.ts';
import { flowRunsOf } from './flow-record.ts';
import { runsOf } from './flow-run.ts';
import { drive, testSetup } from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

// Item flows that call others (decision record 0027).

const START = 'n8n-nodes-base.executeWorkflowTrigger';
const HANDLED = {
  ...HANDLERS,
  'n8n.executeWorkflowTrigger': HANDLERS['n8n.pass'],
} as typeof HANDLERS;

const calling = (more: Partial<FlowSpecStep> = {}): FlowSpecStep => ({
  kind: 'workflow',
  type: 'n8n-nodes-base.executeWorkflow',
  node: { ref: 'inner' },
  ...more,
});

type Called = Readonly<Record<string, readonly [Record<string, FlowSpecStep>, Wires]>>;

function specOf(call: Partial<FlowSpecStep>, inner: Called[string], others: Called = {}) {
  const steps = { a: step('pass'), call: calling(call), end: step('pass') };
  const wires: Wires = [
    ['a', 'call'],
    ['call', 'end'],
  ];
  return calledFlowSpec(flowSpec(steps, wires), { inner, ...others });
}

function ran(spec: unknown, items: readonly JsonObject[]) {
  const made = drive(programOf(JSON.stringify(spec)), testSetup(JSON.stringify(items)), HANDLED);
  const flow = made.points.findLast(({ place }) => place?.flow !== undefined)?.place?.flow;
  const { metadata } = spec as { metadata: JsonObject };
  const root = flowSettings.parse(metadata['flow']);
  const called = calledFlows.parse(metadata['flows']);
  const runs = flow === undefined ? [] : flowRunsOf({ root, called }, flow);
  return { ...made, runs };
}

const more: Called[string] = [{ begin: step('pass'), more: step('more') }, [['begin', 'more']]];
const fails: Called[string] = [{ begin: step('pass'), bad: step('fails') }, [['begin', 'bad']]];

/** The fields of the items that the step `call` gave. */
function gave({ runs }: ReturnType<typeof ran>) {
  const found = runs.find(({ key }) => key === 'call');
  return found?.outputs.map((items) => items?.map(({ json }) => json));
}

function pairs({ runs }: ReturnType<typeof ran>) {
  const found = runs.find(({ key }) => key === 'call');
  return found?.outputs[0]?.map(({ pairedItem }) => pairedItem);
}

describe('a step of an item flow that calls another one', () => {
  it('calls it once with all items, and gives those of the step that ended last', () => {
    const made = ran(specOf({}, more), [{ n: 1 }, { n: 2 }]);
    expect([made.state.status, visited(made)]).toEqual(['completed', ['a', 'call', 'end']]);
    expect([gave(made), pairs(made)]).toEqual([[[{ n: 2 }, { n: 3 }]], [{ item: 0 }, { item: 1 }]]);
    expect(
      made.runs.map(({ at, name, within }) => [at, name, within.map(({ key }) => key)]),
    ).toEqual([
      [0, 'a', []],
      [1, 'begin', ['call']],
      [2, 'more', ['call']],
      [3, 'call', []],
      [4, 'end', []],
    ]);
    const started = made.trace.filter(({ type }) => type === 'workflow_started');
    expect(started.length).toBe(2);
  });

  it('calls it for each item, whose answers are of that item', () => {
    const made = ran(specOf({}, more), [{ n: 1, each: true }, { n: 5 }]);
    expect(gave(made)).toEqual([[{ n: 2, each: true }, { n: 6 }]]);
    expect(pairs(made)).toEqual([{ item: 0 }, { item: 1 }]);
    const calls = made.runs.filter(({ name }) => name === 'more');
    expect(calls.map(({ within, run }) => [within[0]?.call, run])).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it('begins it at the step that its source has for calls', () => {
    const inner: Called[string] = [
      { other: step('fails'), begin: { type: START }, more: step('more') },
      [['begin', 'more']],
    ];
    expect(gave(ran(specOf({}, inner), [{ n: 1 }]))).toEqual([[{ n: 2 }]]);
  });

  it('gives what went in where it does not wait, whatever became of the call', () => {
    const made = ran(specOf({}, fails), [{ n: 1, waits: false }, { n: 2 }]);
    expect([made.state.status, gave(made)]).toEqual([
      'completed',
      [[{ n: 1, waits: false }, { n: 2 }]],
    ]);
  });

  it('fails with it, in its words', () => {
    const { state } = ran(specOf({}, fails), [{ n: 1 }]);
    expect(state).toMatchObject({ status: 'failed', error: { message: 'it cannot' } });
  });

  it('goes on with what failed as its settings say', () => {
    const told = [[{ error: 'it cannot' }]];
    const regular = ran(specOf({ on_error: 'regular_output' }, fails), [{ n: 1 }, { n: 2 }]);
    expect(gave(regular)).toEqual(told);
    const aside = ran(specOf({ on_error: 'error_output' }, fails), [{ n: 1 }]);
    expect(gave(aside)).toEqual([[], [{ n: 1, error: 'it cannot' }]]);
    const items = [{ n: 1, each: true }, { n: 2 }];
    const each = ran(specOf({ on_error: 'regular_output' }, fails), items);
    expect(gave(each)).toEqual([[{ error: 'it cannot' }], [{ error: 'it cannot' }]]);
  });

  it('gives one empty item where it gives always something', () => {
    const none: Called[string] = [{ begin: step('none') }, []];
    expect(gave(ran(specOf({}, none), [{ n: 1 }]))).toEqual([[]]);
    expect(gave(ran(specOf({ always_output: true }, none), [{ n: 1 }]))).toEqual([[{}]]);
    expect(gave(ran(specOf({ always_output: true }, more), [{ n: 1 }]))).toEqual([[{ n: 2 }]]);
  });

  it('may be called itself', () => {
    const inner: Called[string] = [
      { begin: step('pass'), deep: calling({ node: { ref: 'deepest' } }) },
      [['begin', 'deep']],
    ];
    const made = ran(specOf({}, inner, { deepest: more }), [{ n: 1 }]);
    expect(gave(made)).toEqual([[{ n: 2 }]]);
    expect(made.runs.find(({ name }) => name === 'more')?.within.map(({ name }) => name)).toEqual([
      'call',
      'deep',
    ]);
  });

  it('is tried again when it fails, from its first call on', () => {
    const made = ran(specOf({ node: { ref: 'inner', max_retries: 1 } }, fails), [{ n: 1 }]);
    const begun = made.trace.filter(({ type }) => type === 'workflow_started');
    expect([made.state.status, begun.length]).toEqual(['failed', 3]);
  });

  it('fails where the called one came to its cap', () => {
    const spec = specOf({}, [{ begin: step('more') }, [['begin', 'begin']]]);
    const { workflows } = spec['components'] as { workflows: Record<string, JsonObject> };
    if (workflows['inner'] !== undefined) workflows['inner']['max_steps'] = 3;
    expect(ran(spec, [{ n: 1 }]).state.error?.message).toContain('max_steps is 3');
  });

  it('is not called where what it is called with cannot be said', () => {
    const spec = specOf({}, more);
    const handlers = { ...HANDLED, 'n8n.executeWorkflow': HANDLERS['n8n.fails'] } as typeof HANDLED;
    const program = programOf(JSON.stringify(spec));
    expect(drive(program, testSetup('[{"n":1}]'), handlers).state.status).toBe('failed');
    const goesOn = { ...HANDLED, 'n8n.executeWorkflow': HANDLERS['n8n.goesOn'] } as typeof HANDLED;
    const made = drive(program, testSetup('[{"n":1}]'), goesOn);
    expect(visited(made)).toEqual(['a', 'call', 'end']);
  });

  it('gives one empty item also where the called one gives nothing at all', () => {
    const none: Called[string] = [{ begin: step('null') }, []];
    expect(gave(ran(specOf({}, none), [{ n: 1 }]))).toEqual([undefined]);
    expect(gave(ran(specOf({ always_output: true }, none), [{ n: 1 }]))).toEqual([[{}]]);
  });

  it('is called with no items, or not at all, where there is nothing to call it with', () => {
    const callWith = (each: boolean) => ({
      ...HANDLED,
      'n8n.executeWorkflow': () => ({ ...(gives(null) as JsonObject), calls: { each } }),
    });
    const program = programOf(JSON.stringify(specOf({}, more)));
    const begun = (each: boolean) => {
      const { trace } = drive(program, testSetup('[{"n":1}]'), callWith(each));
      return trace.filter(({ type }) => type === 'workflow_started').length - 1;
    };
    expect([begun(false), begun(true)]).toEqual([1, 0]);
  });

  it('gives items whose origin nobody told as made of the one that went in', () => {
    const unpaired = { outputs: [{ count: 1, json: '[{"n":7}]', beside: '[{}]' }] };
    const program = programOf(JSON.stringify(specOf({}, more)));
    const handlers = { ...HANDLED, 'n8n.more': () => unpaired };
    const { points } = drive(program, testSetup('[{"n":1}]'), handlers);
    const flow = points.findLast(({ place }) => place?.flow !== undefined)?.place?.flow;
    const [run] = flow === undefined ? [] : itemsOf(runsOf(flow, 'call'));
    expect(run?.answer.outputs[0]).toMatchObject({
      json: '[{"n":7}]',
      beside: '[{"pairedItem":{"item":0}}]',
    });
  });

  it('ends the run with a guardrail that stops it, whatever its settings say', () => {
    const spec = specOf({ on_error: 'regular_output' }, more);
    const guard = { id: 'g', type: 'keyword', action: 'block', config: { keywords: ['"n":2'] } };
    const { state } = ran({ ...spec, agent: { name: 'desk', guardrails: { workflow: [guard] } } }, [
      { n: 1 },
    ]);
    expect(state).toMatchObject({ status: 'failed', error: { type: 'GuardrailViolation' } });
  });

  it('may send requests where the flow that calls it may', () => {
    const hosts = { allowed_domains: ['ours.example'], denied_domains: ['bad.example'] };
    const spec = specOf({}, more);
    const metadata = spec['metadata'] as { flow: JsonObject };
    const limited = { ...spec, metadata: { ...metadata, flow: { ...metadata.flow, ...hosts } } };
    const { inner } = programOf(JSON.stringify(limited)).workflows;
    expect(inner?.shape === 'graph' ? inner.flow?.settings : null).toMatchObject(hosts);
    const { inner: free } = programOf(JSON.stringify(spec)).workflows;
    expect(free?.shape === 'graph' ? free.flow?.settings : null).not.toHaveProperty(
      'allowed_domains',
    );
  });

  it('is shown by its own end alone once nothing is said of the called one any more', () => {
    const spec = specOf({}, more);
    const { points } = ran(spec, [{ n: 1 }]);
    const flow = points.findLast(({ place }) => place?.flow !== undefined)?.place?.flow;
    const root = flowSettings.parse((spec['metadata'] as JsonObject)['flow']);
    const shown = flow === undefined ? [] : flowRunsOf({ root, called: {} }, flow);
    expect(shown.map(({ key }) => key)).toEqual(['a', 'call', 'end']);
  });

  it('asks a workflow that is no flow with the text of each item', () => {
    const spec = specOf({ node: { ref: 'plain' } }, more);
    const { components } = spec as { components: { workflows: JsonObject; functions: JsonObject } };
    const steps = [{ id: 'one', kind: 'function', ref: 'loud' }];
    components.workflows['plain'] = { type: 'sequential', steps };
    components.functions['loud'] = { implementation: 'loud' };
    const program = programOf(JSON.stringify(spec));
    const handlers = { ...HANDLED, loud: (text: unknown) => `${text}!` };
    const input = JSON.stringify([{ text: 'a' }, { text: 'b' }]);
    const { state } = drive(program, testSetup(input), handlers);
    expect(JSON.parse(state.output_text ?? '')).toEqual([{ output: 'a!' }, { output: 'b!' }]);
  });

  it('takes a text as the query of whoever asks', () => {
    const spec = specOf({}, more);
    const { components } = spec as Record<string, JsonObject>;
    const asked = {
      ...spec,
      workflow: { type: 'sequential', steps: [{ id: 'one', kind: 'workflow', ref: 'inner' }] },
      components: { ...components, workflows: components?.['workflows'] },
      metadata: { flows: (spec['metadata'] as JsonObject)['flows'] },
    };
    const made = drive(programOf(JSON.stringify(asked)), testSetup('what is it?'), HANDLED);
    expect(JSON.parse(made.state.output_text ?? '')).toEqual({ query: 'what is it?', n: 1 });
  });
});
