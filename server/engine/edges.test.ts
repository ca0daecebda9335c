import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import { createRun } from './create-run.ts';
import { toRunFields } from './run-fields.ts';
import { step } from './step.ts';
import { apply, createdRun, decide, drive, nextTime, settle, testSetup } from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

test('the platform may fail a run that has no program; its reason joins the checkpoint', () => {
  const created = createRun(testSetup('x'), 'queued', 0).state;
  const failed = step(null, created, {
    type: 'failed',
    at: 5,
    error: { type: 'dead_letter', message: 'tried 5 times' },
    metadata: { dead_letter: true },
  });
  expect(failed.state).toMatchObject({
    status: 'failed',
    error: { type: 'dead_letter' },
    completed_at: 5,
  });
  expect(failed.checkpoints[0]).toMatchObject({
    type: 'run_failed',
    metadata: { dead_letter: true, error: { type: 'dead_letter', message: 'tried 5 times' } },
  });
  expect(failed.effects).toEqual([{ kind: 'finish', status: 'failed' }]);
});

test('a run that the platform failed in the middle of a step can be continued there', () => {
  const program = programOf(`
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: a, kind: function, ref: f}, {id: b, kind: function, ref: f}]}
components: {functions: {f: {implementation: f}}}
`);
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'value', value: 'one' },
  });
  apply(run, {
    type: 'failed',
    at: nextTime(run),
    error: { type: 'error', message: 'The service restarted.' },
  });
  apply(run, { type: 'continued', at: nextTime(run) });
  settle(run, { f: (text) => `${text}+` });
  expect(run.state).toMatchObject({
    status: 'completed',
    output_text: 'one+',
  });
  expect(itemsOf(run.state.visited)).toEqual(['a', 'b']);
});

test('a second start, an unknown effect and a decision without a question change nothing', () => {
  const program = programOf('{"version": "v1", "agent": {"name": "root"}}');
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  const state = run.state;
  for (const event of [
    { type: 'start', at: 1 },
    { type: 'timer_fired', at: 1, effect_id: 'x99' },
    { type: 'effect_failed', at: 1, effect_id: 'x99', error: { message: '' } },
    { type: 'human_decided', at: 1, decision: { decision: 'approved' } },
    { type: 'task_expired', at: 1 },
    { type: 'continued', at: 1 },
  ] as const) {
    expect(step(program, run.state, event).state).toBe(state);
  }
});

test('a model effect that is answered by a plain value fails honestly', () => {
  const run = createdRun(
    programOf('{"version": "v1", "agent": {"name": "root"}}'),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'value', value: 1 },
  });
  expect(run.state.error?.type).toBe('RuntimeError');
});

test('warnings of late guardrails are kept with the run', () => {
  const run = drive(
    programOf(`
version: v1
agent:
  name: root
  guardrails: {workflow: [{id: tone, type: keyword, action: warn, config: {keywords: [angry]}}]}
workflow: {type: sequential, steps: [{id: s, kind: agent, ref: a}]}
components: {agents: {a: {name: a}}}
`),
    testSetup('angry'),
    {},
  );
  expect(toRunFields(run.state).metadata['guardrail_warnings']).toEqual([
    {
      guardrail_id: 'tone',
      stage: 'workflow',
      step_id: 's',
      reason: "Blocked keywords found: ['angry']",
    },
  ]);
  expect(run.state.status).toBe('completed');
});

test('a workflow guardrail may revise what flows on', () => {
  const run = drive(
    programOf(`
version: v1
agent:
  name: root
  guardrails: {workflow: [{id: g, type: function, ref: fix, action: revise}]}
workflow: {type: graph, start: s, nodes: {s: {id: s, kind: agent, ref: a}, t: {id: t, kind: function, ref: up}}, edges: [{from: s, to: t}]}
components: {agents: {a: {name: a}}, functions: {fix: {implementation: fix}, up: {implementation: up}}}
`),
    testSetup('go'),
    {
      fix: (text) => (text === 'Final answer: go' ? { passed: false, revised_text: 'fine' } : true),
      up: (text) => String(text).toUpperCase(),
    },
  );
  expect(run.state.output_text).toBe('FINE');
  expect(run.state.messages.map((item) => item.content)).toEqual(['go', 'fine', 'FINE']);
});

test('a guardrail whose function throws fails the step, and the answer does not pass', () => {
  const run = drive(
    programOf(`
version: v1
agent: {name: root, guardrails: {output: [{id: g, type: function, ref: f}]}}
components: {functions: {f: {implementation: missing}}}
`),
    testSetup('go', 'agent'),
    {},
  );
  expect(run.state).toMatchObject({
    status: 'failed',
    output_text: null,
    error: { type: 'RuntimeError' },
  });
});

test('a retriever puts its find in front of what the model sees', () => {
  const run = createdRun(
    programOf(`
version: v1
agent: {name: root, memory: {policy: retrieval, top_k: 2, retriever: {ref: f}}}
components: {functions: {f: {implementation: f}}}
`),
    testSetup('fractions', 'agent'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  expect(run.queue[0]).toMatchObject({
    kind: 'call_function',
    purpose: 'retriever',
    args: ['fractions', 2],
  });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'value', value: 'notes' },
  });
  expect(run.queue[0]).toMatchObject({
    kind: 'call_model',
    messages: {
      tail: [{ role: 'system', content: 'Relevant retrieved memory:\nnotes' }, { role: 'user' }],
    },
  });
  settle(run, {});
  expect(toRunFields(run.state).metadata['memory']).toEqual({
    policy: 'retrieval',
    before_message_count: 1,
    after_message_count: 2,
  });
});

test('plan-act plans without tools, then works with them', () => {
  const run = createdRun(
    programOf(`
version: v1
agent: {name: root, strategy: plan-act, tools: {include: [web_search], permissions: {}}}
tools: {web_search: {description: s, mcp: {server: m, name: remote}}}
mcp_servers: {m: {transport: stdio, command: x}}
`),
    testSetup('search it', 'agent'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  expect(run.queue[0]).toMatchObject({ kind: 'call_model', phase: 'plan', tools: [] });
  settle(run, {});
  expect(run.state.messages.map((item) => item.content)).toEqual([
    'search it',
    'Plan:\nFinal answer: search it',
    'I need to search.',
    '{"error": "no MCP server"}',
    'Final answer based on tool results: {"error": "no MCP server"}',
  ]);
  expect(toRunFields(run.state).metadata).toMatchObject({
    plan: 'Final answer: search it',
    iterations: 3,
    runtime_name: 'plan-act@dummy',
  });
});

test('a call of a tool that nobody selected is answered with the call in Python notation', () => {
  const run = createdRun(
    programOf('{"version": "v1", "agent": {"name": "root", "strategy": "react"}}'),
    testSetup('go', 'agent'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: {
      kind: 'model',
      answer: {
        text: 'hm',
        tool_calls: [{ id: 'w', name: 'web_search', arguments: { query: "it's" } }],
      },
    },
  });
  settle(run, {});
  expect(run.state.output_text).toBe(
    "Final answer based on tool results: web_search: {'query': \"it's\"}",
  );
});

test('two human participants are asked one after the other', () => {
  const run = drive(
    programOf(`
version: v1
agent: {name: root}
workflow: {type: concurrent, participants: [{id: h1, kind: human, ref: h}, {id: h2, kind: human, ref: h}]}
components: {humans: {h: {request_type: freeform}}}
`),
    testSetup('go'),
    {},
  );
  decide(run, { decision: 'provided', content: 'one' }, {});
  expect(run.state.status).toBe('blocked');
  decide(run, { decision: 'provided', content: 'two' }, {});
  expect(run.state).toMatchObject({
    status: 'completed',
    output_text: 'two',
  });
  expect(itemsOf(run.state.visited)).toEqual(['h1', 'h2']);
  expect(run.state.messages.map((item) => item.content)).toEqual(['go', 'one', 'two']);
});

test('a nested graph at its step cap fails the step', () => {
  const run = drive(
    programOf(`
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: s, kind: workflow, ref: loop}]}
components:
  agents: {a: {name: a}}
  workflows: {loop: {type: graph, start: x, max_steps: 2, nodes: {x: {id: x, kind: agent, ref: a}}, edges: [{from: x, to: x}]}}
`),
    testSetup('go'),
    {},
  );
  expect(run.state.error).toEqual({
    type: 'RuntimeError',
    message: "Workflow 'loop' stopped at its step cap: max_steps is 2, and an edge led on.",
  });
  expect(run.trace.filter((event) => event.type === 'workflow_failed').length).toBe(2);
});

test('errors in trace events are redacted and lose their paths', () => {
  const run = drive(
    programOf(`
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: s, kind: function, ref: f}]}
components: {functions: {f: {implementation: f}}}
`),
    testSetup('go'),
    {
      f: () => {
        throw new Error('cannot read /home/someone/key.txt for a@b.example');
      },
    },
  );
  expect(run.trace.at(-1)?.error).toBe('cannot read [PATH] for [REDACTED_EMAIL]');
  expect(run.state.error?.message).toContain('/home/someone');
});

test.each([
  ['agent: {name: root, as_agent: gone}', /unknown workflow/],
  ['agent: {name: root, tools: [gone]}', /unknown tool/],
  ["agent: {name: ''}", /no name/],
  ['agent: {name: root}\nworkflow: {type: sequential, steps: []}', /at least one enabled step/],
  [
    'agent: {name: root}\nworkflow: {type: sequential, steps: [{id: a, kind: agent, ref: toString}]}',
    /unknown agent/,
  ],
  ['agent: {name: root}\nworkflow: {type: graph, start: x, nodes: {}, edges: []}', /no start node/],
  ['agent: {name: root}\ntools: {t: {description: d, agent: gone}}', /unknown agent/],
  ['agent: {name: root}\ntools: {t: {description: d}}', /nothing that carries it out/],
  [
    'agent: {name: root, memory: {policy: summary, summarizer: {ref: gone}}}',
    /summarizer.ref names no function or agent/,
  ],
  [
    'agent: {name: root, memory: {policy: retrieval, retriever: {ref: gone}}}',
    /retriever.ref names no function/,
  ],
  [
    'agent: {name: root, guardrails: {input: [{id: g, type: agent, ref: gone}]}}',
    /There is no agent "gone"/,
  ],
  [
    'agent: {name: root, guardrails: {input: [{id: g, type: keyword, action: dance}]}}',
    /E_GUARDRAIL_ACTION_UNSUPPORTED at agent.guardrails.input\[0\].action/,
  ],
])('what cannot be built is refused at the build: %s', (text, message) => {
  expect(() => programOf(`version: v1\n${text}`)).toThrow(message);
});

test('answers of the wrong kind do not crash a run', () => {
  const program = programOf(`
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: s, kind: function, ref: f, timeout_seconds: 5}]}
components: {functions: {f: {implementation: f}}}
`);
  const run = createdRun(program, testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  const [timer, call] = run.queue;
  const state = run.state;
  apply(run, { type: 'effect_failed', at: 1, effect_id: timer!.id, error: { message: 'x' } });
  apply(run, {
    type: 'effect_succeeded',
    at: 1,
    effect_id: timer!.id,
    result: { kind: 'value', value: 1 },
  });
  apply(run, { type: 'timer_fired', at: 1, effect_id: call!.id });
  expect(run.state).toBe(state);
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: call!.id,
    result: { kind: 'model', answer: { text: 'odd', tool_calls: [] } },
  });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'odd' });
});
