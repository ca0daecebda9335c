import { describe, expect, it } from 'vitest';
import { calledFlowSpec, type FlowSpecStep, flowSpec } from '../../test/support/flow-specs.ts';
import {
  answer,
  callOf,
  gives,
  HANDLERS,
  run,
  started,
  step,
  visited,
  type Wires,
} from '../../test/support/flows.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { CallModel } from './effect.ts';
import { flowRunsOf } from './flow-record.ts';
import { readAsked } from './flow-run.ts';
import { canFlowGoOn, inputOf } from './kinds/flow.ts';
import type { ProgramOptions } from './program.ts';
import { apply, createdRun, type DrivenRun, drive, nextTime, testSetup } from './testing/drive.ts';
import { online, say } from './testing/driven-agent.ts';
import { programOf } from './testing/sample-programs.ts';

// What answers for the steps of an item flow: models that are asked anew each time (decision record
// 0026), rehearsals (0025), and what a called flow is told (0027).

const AGENTS = { agents: { say: { name: 'say', system_prompt: 'Be kind.' } } };
const DIFY = { source: 'dify', order: 'dify' };
const asking: FlowSpecStep = { type: 'dify.llm', kind: 'agent', node: { ref: 'say' }, prompt: 'x' };

function begun(spec: unknown, options: ProgramOptions = {}): DrivenRun {
  const made = createdRun(programOf(JSON.stringify(spec), options), testSetup('[{"n":1}]'));
  apply(made, { type: 'start', at: nextTime(made) });
  return made;
}

function ended(spec: unknown, options: ProgramOptions = {}): DrivenRun {
  return drive(programOf(JSON.stringify(spec), options), testSetup('[{"n":1}]'), HANDLERS);
}

function gave({ points, program }: DrivenRun, key: string) {
  const flow = points.findLast(({ place }) => place?.flow !== undefined)?.place?.flow;
  const root = program.root_workflow;
  const settings = root?.shape === 'graph' ? root.flow?.settings : undefined;
  if (flow === undefined || settings === undefined) throw new TypeError('no flow was kept');
  const found = flowRunsOf({ root: settings, called: {} }, flow).find((run) => run.key === key);
  return found?.outputs.map((items) => items?.map(({ json }) => json));
}

describe('a model of a flow', () => {
  const spec = flowSpec({ a: step('pass'), ask: asking }, [['a', 'ask']], {
    flow: DIFY,
    components: AGENTS,
  });

  it('is told its instructions for one time, and hears nothing of earlier rounds', () => {
    const made = begun(spec);
    answer(made, gives([{ n: 1 }, { n: 2 }]));
    expect(callOf(made)).toMatchObject({ instructions: 'Be kind.', runIndex: 0 });
    answer(made, [{ text: 'one?', system: 'Be brief.' }, 'two?']);
    const first = made.queue[0] as CallModel;
    expect(first.system_prompt).toContain('Be brief.');
    const texts = JSON.stringify(first.messages);
    expect(texts).toContain('one?');
    expect(texts).not.toContain('"n":1');
  });

  it('is asked what can be read only', () => {
    expect(readAsked(['a', { text: 'b', system: 'c' }])).toHaveLength(2);
    for (const wrong of [5, null, [5], [{ text: 'a' }], [{ text: 1, system: 'b' }]]) {
      expect(() => readAsked(wrong)).toThrow(TypeError);
    }
  });
});

describe('an agent of a flow', () => {
  const agents = { components: { agents: { ask: { name: 'ask' } } } };
  const ask: FlowSpecStep = { kind: 'agent', type: 'agent' };

  it('is asked once, with nothing, where no item came', () => {
    const made = run({ ask }, [], { items: [] }, agents);
    expect(made.state.output_text).toBe('Final answer: ');
  });

  it('that says nothing hands on what it was asked', () => {
    const made = begun(flowSpec({ ask }, [], agents), { bind: () => online });
    say(made, { text: '' });
    expect(made.state).toMatchObject({ status: 'completed', output_text: '{"n":1}' });
  });
});

describe('a step of a flow that fails for good', () => {
  it('is stood in for by its fallback, which gets the same items', () => {
    const node = { on_error: 'fallback', fallback_ref: 'spare' };
    const steps = { a: step('pass'), bad: step('fails', { node }), spare: step('more') };
    const made = ended(flowSpec(steps, [['a', 'bad']]));
    expect([visited(made), gave(made, 'bad')]).toEqual([['a', 'bad'], [[{ n: 2 }]]]);
  });
});

describe('a step whose first input nothing feeds', () => {
  const second = { inputs: [[], [{ step: 'a', output: 0 }]] };

  it('gives nothing while it is switched off', () => {
    const off = step('fails', { disabled: true, ...second });
    const made = ended(flowSpec({ a: step('pass'), off }, [['a', 'off']]));
    expect([made.state.status, gave(made, 'off')]).toEqual(['completed', [[]]]);
  });
});

describe('a step that fails and goes on', () => {
  const failing = (flow: JsonObject) => {
    const bad = step('fails', { node: { on_error: 'continue' } });
    return ended(flowSpec({ a: step('pass'), bad, end: step('pass') }, WIRES, { flow }));
  };
  const WIRES: Wires = [
    ['a', 'bad'],
    ['bad', 'end'],
  ];

  it('of n8n hands on what went in, of Dify why it failed', () => {
    expect(gave(failing({}), 'bad')).toEqual([[{ n: 1 }]]);
    const [given] = gave(failing(DIFY), 'bad') ?? [];
    expect(given).toEqual([{ error_message: 'it cannot', error_type: 'RuntimeError' }]);
  });
});

describe('a rehearsal', () => {
  const items = [{ stated: true }];
  const rehearsed = (key: string): ProgramOptions => ({
    rehearsal: { steps: { [key]: { by: 'mocked', items } }, tools: {} },
  });

  it('answers for a step of a flow, which does not run', () => {
    const spec = flowSpec({ a: step('pass'), bad: step('fails'), end: step('pass') }, [
      ['a', 'bad'],
      ['bad', 'end'],
    ]);
    const made = ended(spec, rehearsed('bad'));
    expect([made.state.status, visited(made)]).toEqual(['completed', ['a', 'bad', 'end']]);
    expect(gave(made, 'bad')).toEqual([items]);
    expect(JSON.stringify(made.checkpoints)).toContain('"answered_by":"mocked"');
  });

  it('lets a step run whose calls a recording answers, and says so', () => {
    const made = ended(flowSpec({ a: step('more') }, []), {
      rehearsal: { steps: { a: { by: 'recorded', recording: 'first' } }, tools: {} },
    });
    expect(gave(made, 'a')).toEqual([[{ n: 2 }]]);
    expect(JSON.stringify(made.checkpoints)).toContain('"answered_by":"recorded"');
  });

  it('answers for a step of another workflow with the text of its items', () => {
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: { type: 'sequential', steps: [{ id: 'bad', kind: 'function', ref: 'bad' }] },
      components: { functions: { bad: { implementation: 'n8n.fails' } } },
    };
    const made = ended(spec, rehearsed('bad'));
    expect([made.state.status, made.state.output_text]).toEqual(['completed', '{"stated":true}']);
  });
});

describe('what a run may use', () => {
  const wires: Wires = [['a', 'b']];
  const spec = flowSpec({ a: step('pass'), b: step('pass') }, wires);

  it('ends with too many parts, and with answers that are too long in sum', () => {
    const many = ended(spec, { limits: { parts: 2, text_chars: 1_000 } });
    expect(many.state.error).toMatchObject({ type: 'RunLimitExceeded' });
    expect(many.state.error?.message).toContain('more than 2 parts');
    const long = ended(spec, { limits: { parts: 1_000, text_chars: 5 } });
    expect(long.state.error?.message).toContain('more than 5 characters');
  });
});

describe('what feeds a step', () => {
  it('is nothing at an input that no output reached', () => {
    const made = started({ a: step('pass') }, []);
    const { points, program } = ended(flowSpec({ a: step('pass'), b: step('pass') }, [['a', 'b']]));
    const place = points.findLast(({ place }) => place?.flow !== undefined)?.place;
    const flow = place?.flow;
    if (flow === undefined || place == null) throw new TypeError('no flow was kept');
    const arrival = (sources: { step: string; run: number; output: number }[], forced?: true) => ({
      step: 'b',
      sources,
      ...(forced === undefined ? {} : { forced }),
    });
    expect(inputOf(flow, arrival([], true), 0)?.count).toBe(1);
    expect(inputOf(flow, arrival([], true), 1)).toBeNull();
    expect(inputOf(flow, arrival([]), 0)?.count).toBe(1);
    expect(inputOf(flow, arrival([]), 1)).toBeNull();
    expect(inputOf(flow, arrival([{ step: 'a', run: 7, output: 0 }]), 0)).toBeNull();
    expect(callOf(made)).toMatchObject({ instructions: null, count: 0, source: null });
    const root = program.root_workflow;
    if (root?.shape !== 'graph') throw new TypeError('the workflow is no graph');
    const { flow: _, ...plain } = root;
    expect(canFlowGoOn(root, { ...place, go: { kind: 'flow' } })).toBe(true);
    expect(canFlowGoOn(plain, { ...place, go: { kind: 'flow' } })).toBe(false);
    const now = { arrival: { step: 'gone', sources: [] }, asked: null, said: [] };
    const lost = { ...place, go: { kind: 'flow' } as const, flow: { ...flow, now } };
    expect(canFlowGoOn(root, lost)).toBe(false);
  });

  it('in a called flow is counted apart from what the caller ran', () => {
    const call: FlowSpecStep = {
      kind: 'workflow',
      type: 'n8n-nodes-base.executeWorkflow',
      node: { ref: 'inner' },
    };
    const spec = calledFlowSpec(flowSpec({ a: step('pass'), call }, [['a', 'call']]), {
      inner: [{ begin: step('pass') }, []],
    });
    const made = begun(spec);
    answer(made, gives([{ n: 1 }]));
    const outer = callOf(made);
    answer(made, { ...(gives([{ n: 1 }]) as JsonObject), calls: { each: false, waits: true } });
    const inner = callOf(made);
    expect([outer.step.name, inner.step.name]).toEqual(['call', 'begin']);
    expect(inner.count).toBeGreaterThan(outer.count);
    expect(inner.inputs).toMatchObject([[{ json: { n: 1 } }]]);
  });
});
