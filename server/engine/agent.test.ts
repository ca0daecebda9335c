import { expect, test } from 'vitest';
import { itemsOf, listOf } from './append-list.ts';
import type { CallModel, RuntimeBinding } from './effect.ts';
import type { ModelAnswer } from './event.ts';
import { type Message, message } from './message.ts';
import { toRunFields } from './run-fields.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  drive,
  nextTime,
  settle,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

const online: RuntimeBinding = {
  provider: 'openai',
  model: 'm',
  runtime_mode: 'sdk',
  sdk: 'openai',
  warning: null,
};

function pendingModel(run: DrivenRun): CallModel {
  const effect = run.queue.find((item) => item.kind === 'call_model');
  if (effect?.kind !== 'call_model') throw new Error('no model call is pending');
  return effect;
}

/** What the pending model call sends. */
function sentTo(run: DrivenRun): Message[] {
  return itemsOf(pendingModel(run).messages);
}

/** Answers the pending model call. */
function say(run: DrivenRun, answer: Partial<ModelAnswer>): void {
  const effect = pendingModel(run);
  run.queue.splice(run.queue.indexOf(effect), 1);
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: effect.id,
    result: { kind: 'model', answer: { text: '', tool_calls: [], ...answer } },
  });
}

function startAgent(spec: string, input = 'hello', options = {}): DrivenRun {
  const run = createdRun(
    programOf(spec, { bind: () => online, ...options }),
    testSetup(input, 'agent'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  return run;
}

const REACT = `
version: v1
agent:
  name: bot
  system_prompt: Be brief.
  model: {provider: openai, name: m, max_tokens: 50, timeout_seconds: 7, temperature: 0.2, token_budget: 100}
  strategy: {type: react, max_iterations: 2}
  tools: {include: [look, ask], permissions: {denied_domains: [bad.example]}}
tools:
  look: {description: Look., implementation: look, parameters: {type: object, properties: {n: {type: integer}}, required: [n]}}
  ask: {description: Ask., agent: helper}
components:
  agents: {helper: {name: helper, system_prompt: Help.}}
`;
const call = (name: string, args: Record<string, unknown>, id = 'c1') => ({
  id,
  name,
  arguments: args as never,
});

test('a model call carries the prompt, the tools and the limits of its agent', () => {
  const run = startAgent(REACT);
  expect(pendingModel(run)).toMatchObject({
    agent_name: 'bot',
    system_prompt: 'Be brief.',
    temperature: 0.2,
    max_tokens: 50,
    timeout_seconds: 7,
    tools: [{ name: 'look' }, { name: 'ask', parameters: { required: ['input'] } }],
    messages: listOf([message('user', 'hello')]),
  });
});

test('parallel tool calls join the thread in call order, an agent tool runs without trace', () => {
  const run = startAgent(REACT);
  say(run, {
    text: 'let me see',
    tool_calls: [call('ask', { input: 'why' }, 'a'), call('look', { n: 3 }, 'b')],
  });
  expect(run.queue.map((effect) => effect.kind)).toEqual(['call_tool', 'call_model']);
  expect(pendingModel(run)).toMatchObject({
    agent_name: 'helper',
    messages: listOf([message('user', 'why')]),
  });
  const look = run.queue[0]!;
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: look.id,
    result: { kind: 'value', value: { seen: 3 } },
  });
  run.queue.shift();
  say(run, { text: 'because' });
  expect(sentTo(run).slice(1)).toMatchObject([
    { role: 'assistant', content: 'let me see' },
    { role: 'tool', name: 'ask', tool_call_id: 'a', content: 'because' },
    { role: 'tool', name: 'look', tool_call_id: 'b', content: '{"seen":3}' },
  ]);
  say(run, { text: 'done' });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'done' });
  expect(run.trace.map((event) => event.type)).toEqual(['run_started', 'run_completed']);
});

test('a tool that throws tells the model and the loop goes on', () => {
  const run = startAgent(REACT);
  say(run, { tool_calls: [call('look', { n: 1 })] });
  apply(run, {
    type: 'effect_failed',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    error: { message: 'no "light"' },
  });
  expect(sentTo(run).at(-1)?.content).toBe('{"error": "no \\"light\\""}');
});

test.each([
  [call('look', { n: 'three' }), /invalid/],
  [call('other', {}), /not among the tools/],
  [
    call('ask', { input: 'https://a.bad.example/x' }),
    /'a\.bad\.example' that is in denied_domains/,
  ],
])('a refused tool call ends the run: %j', (refused, message) => {
  const run = startAgent(REACT);
  say(run, { tool_calls: [call('look', { n: 1 }, 'ok'), refused] });
  expect(run.state.status).toBe('failed');
  expect(run.state.error?.type).toBe('ToolMiddlewareViolation');
  expect(run.state.error?.message).toMatch(message);
  expect(run.state.pending).toEqual({});
  expect(run.trace.at(-1)?.type).toBe('run_failed');
});

test('a react loop that uses up its iterations fails the run with its last answer', () => {
  const run = startAgent(REACT);
  for (let i = 0; i < 2; i += 1) {
    say(run, { text: `try ${i}`, tool_calls: [call('look', { n: i })] });
    apply(run, {
      type: 'effect_succeeded',
      at: nextTime(run),
      effect_id: run.queue.shift()!.id,
      result: { kind: 'value', value: 'x' },
    });
  }
  expect(run.state).toMatchObject({
    status: 'failed',
    thrown: false,
    output_text: 'try 1',
    error: { type: 'max_iterations' },
  });
  expect(run.checkpoints.map((row) => row.type)).toEqual(['run_started']);
});

test('usage is summed over the run and the budget of the agent stops it', () => {
  const run = startAgent(REACT);
  say(run, { text: 'a', usage: { prompt_tokens: 90, completion_tokens: 11 } });
  expect(run.state.usage).toEqual({ input_tokens: 90, output_tokens: 11, total_tokens: 101 });
  expect(run.state.error?.type).toBe('TokenBudgetExceeded');
  const within = startAgent(REACT);
  say(within, { text: 'a', usage: { input_tokens: 60, output_tokens: 40 } });
  expect(within.state.status).toBe('completed');
  expect(toRunFields(within.state).metadata['usage']).toEqual({
    input_tokens: 60,
    output_tokens: 40,
    total_tokens: 100,
  });
});

test('the budget of the run counts all agents together', () => {
  const spec = `
version: v1
agent: {name: root}
workflow: {type: sequential, steps: [{id: a, kind: agent, ref: x}, {id: b, kind: agent, ref: x, on_error: continue}]}
components: {agents: {x: {name: x}}}
`;
  const run = createdRun(
    programOf(spec, { bind: () => online, token_budget: 10 }),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  say(run, { text: 'a', usage: { input_tokens: 6 } });
  say(run, { text: 'b', usage: { input_tokens: 6 } });
  expect(run.state.error?.type).toBe('TokenBudgetExceeded');
});

test('a provider failure is repeated with growing pauses, a permanent one is not', () => {
  const retry = { provider_retry: { retries: 2, backoff_seconds: 3 } };
  const run = startAgent(REACT, 'hello', retry);
  const fail = (error: {
    message: string;
    retryable?: boolean;
    timed_out?: boolean;
    type?: string;
  }) =>
    apply(run, {
      type: 'effect_failed',
      at: nextTime(run),
      effect_id: run.queue.shift()!.id,
      error,
    });
  fail({ message: 'reset' });
  const timer = run.queue[0]!;
  expect(timer).toMatchObject({ kind: 'start_timer', reason: 'provider_backoff' });
  expect(timer.kind === 'start_timer' && timer.due_at).toBe((run.events.at(-1)?.at ?? 0) + 3000);
  run.queue.shift();
  apply(run, { type: 'timer_fired', at: nextTime(run), effect_id: timer.id });
  expect(pendingModel(run).attempt).toBe(2);
  fail({ message: 'bad key', retryable: false, type: 'ValueError' });
  expect(run.state.error).toEqual({ type: 'ValueError', message: 'bad key' });
});

test('a provider timeout is repeated only when that is switched on', () => {
  const run = startAgent(REACT, 'hello', { provider_retry: { retries: 1 } });
  apply(run, {
    type: 'effect_failed',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    error: { message: 'slow', timed_out: true },
  });
  expect(run.state.error?.type).toBe('RetryTimeoutError');
  const again = startAgent(REACT, 'hello', {
    provider_retry: { retries: 1, retry_on_timeout: true },
  });
  apply(again, {
    type: 'effect_failed',
    at: nextTime(again),
    effect_id: again.queue.shift()!.id,
    error: { message: 'slow', timed_out: true },
  });
  expect(pendingModel(again).attempt).toBe(2);
});

const agentWith = (lines: string) => `
version: v1
agent:
  name: bot
${lines}
components:
  agents: {judge: {name: judge}}
  functions: {check: {implementation: check}, sum: {implementation: sum}}
`;

test('an output guardrail may revise the answer; without a revised text it stops the run', () => {
  const spec = agentWith(
    '  guardrails: {output: [{id: g, type: function, ref: check, action: revise}]}',
  );
  const revised = drive(programOf(spec), testSetup('hi', 'agent'), {
    check: () => ({ passed: false, reason: 'tone', revised_text: 'softer' }),
  });
  expect(revised.state.output_text).toBe('softer');
  expect(revised.state.messages.at(-1)?.content).toBe('softer');
  const stopped = drive(programOf(spec), testSetup('hi', 'agent'), {
    check: () => ({ passed: false, reason: 'tone' }),
  });
  expect(stopped.state.error).toEqual({
    type: 'GuardrailViolation',
    message: "Guardrail 'g' failed: tone",
  });
});

test('an agent guardrail passes when the answer begins with the word PASS', () => {
  const spec = agentWith('  guardrails: {input: [{id: g, type: agent, ref: judge}]}');
  const run = startAgent(spec);
  expect(pendingModel(run).agent_name).toBe('judge');
  say(run, { text: 'PASS, fine' });
  expect(pendingModel(run).agent_name).toBe('bot');
  const refused = startAgent(spec);
  say(refused, { text: 'PASSABLE but no' });
  expect(refused.state.error?.message).toBe("Guardrail 'g' failed: PASSABLE but no");
});

test('a summary replaces what came before the last user message', () => {
  const spec = `
version: v1
agent: {name: root}
workflow: {type: group-chat, rounds: 2, participants: [{id: p, kind: agent, ref: a}]}
components:
  agents: {a: {name: a, memory: {policy: summary, summarizer: {ref: sum}}}}
  functions: {sum: {implementation: sum}}
`;
  const seen: unknown[] = [];
  const run = createdRun(programOf(spec), testSetup('one'));
  apply(run, { type: 'start', at: nextTime(run) });
  settle(run, {
    sum: (text) => {
      seen.push(text);
      return 'short';
    },
  });
  expect(seen).toEqual(['user: one\nassistant: Final answer: one']);
  expect(run.state.output_text).toBe('Final answer: Final answer: one');
});

test('append_mode decides what an agent remembers of its earlier calls', () => {
  const messages = (mode: string) => {
    const run = drive(
      programOf(`
version: v1
agent: {name: root}
workflow: {type: group-chat, rounds: 2, participants: [{id: p, kind: agent, ref: a}]}
components: {agents: {a: {name: a, defaults: {append_mode: ${mode}}}}}
`),
      testSetup('x'),
      {},
    );
    return run.state.messages.map((item) => item.role);
  };
  expect(messages('auto')).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(messages('never')).toEqual(['user', 'assistant']);
  expect(messages('user_only')).toEqual(['user', 'user', 'assistant']);
  expect(messages('assistant_only')).toEqual(['assistant', 'user', 'assistant']);
});

test('skills join the prompt; the warning of a stand-in runtime reaches the metadata', () => {
  const spec = `
version: v1
agent: {name: bot, system_prompt: ' Base. ', skills: [one, two]}
skills: {one: {source: a}, two: {source: b}}
`;
  const program = programOf(spec, {
    skills: { one: ' First. ', two: '' },
    bind: () => ({ ...online, warning: 'no key' }),
  });
  const run = createdRun(program, testSetup('x', 'agent'));
  apply(run, { type: 'start', at: nextTime(run) });
  expect(pendingModel(run).system_prompt).toBe('Base.\n\nFirst.');
  say(run, { text: 'ok' });
  expect(toRunFields(run.state).metadata).toMatchObject({
    model_warning: 'no key',
    runtime_mode: 'sdk',
    runtime_name: 'simple@openai',
    iterations: 1,
  });
});

test.each([
  [
    '  guardrails: {input: [{id: g, type: magic}]}',
    /E_GUARDRAIL_TYPE at agent.guardrails.input\[0\].type/,
  ],
  [
    "  guardrails: {input: [{id: g, type: regex, config: {patterns: ['(']}}]}",
    /no regular expression/,
  ],
  [
    '  guardrails: {input: [{id: g, type: function, ref: constructor}]}',
    /There is no function "constructor"/,
  ],
  ['  memory: {policy: elephant}', /E_MEMORY_CONFIG at agent.memory.policy/],
  ['  memory: {policy: retrieval}', /E_MEMORY_CONFIG at agent.memory.retriever.ref/],
  ['  model: {provider: dummy, name: m, temperature: -1}', /temperature/],
  ['  strategy: {type: react, max_iterations: 0}', /max_iterations/],
])('a spec that cannot be built says so: %s', (lines, message) => {
  expect(() => programOf(agentWith(lines))).toThrow(message);
});

test('an agent may summarize; it runs quietly and its answer becomes the summary', () => {
  const spec = `
version: v1
agent: {name: root}
workflow: {type: group-chat, rounds: 2, participants: [{id: p, kind: agent, ref: a}]}
components:
  agents:
    a: {name: a, memory: {policy: summary, summarizer: {ref: s}}}
    s: {name: s, system_prompt: Summarize.}
`;
  const run = createdRun(programOf(spec, { bind: () => online }), testSetup('one'));
  apply(run, { type: 'start', at: nextTime(run) });
  say(run, { text: 'two' });
  expect(pendingModel(run)).toMatchObject({
    agent_name: 's',
    messages: listOf([message('user', 'user: one\nassistant: two')]),
  });
  say(run, { text: 'they counted' });
  expect(sentTo(run)).toMatchObject([
    { role: 'system', content: 'Conversation summary:\nthey counted' },
    { role: 'user', content: 'two' },
  ]);
  say(run, { text: 'three' });
  expect(run.trace.filter((event) => event.type === 'run_started').length).toBe(2);
  expect(run.state.messages.map((item) => item.content)).toEqual(['one', 'two', 'two', 'three']);
});

test('an agent tool that fails tells the model; one that is refused stops the run', () => {
  const run = startAgent(REACT);
  say(run, { tool_calls: [call('ask', { input: 'why' })] });
  apply(run, {
    type: 'effect_failed',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    error: { message: 'no answer' },
  });
  expect(sentTo(run).at(-1)).toMatchObject({
    role: 'tool',
    content: '{"error": "no answer"}',
  });
  const over = startAgent(REACT, 'hello', { token_budget: 5 });
  say(over, { tool_calls: [call('ask', { input: 'why' })] });
  say(over, { text: 'long', usage: { input_tokens: 9 } });
  expect(over.state.error?.type).toBe('TokenBudgetExceeded');
});

test.each([
  ["{type: object, properties: {a: {$ref: '#/nowhere'}}}", '$ref "#/nowhere" leads nowhere'],
  ["{type: object, properties: {b: {pattern: '('}}}", 'a pattern is no regular expression'],
  ["{$ref: '#'}", 'refer to one another without an end'],
  ['{anyOf: 5}', 'a keyword has a value of the wrong kind'],
])('the model is told of a tool whose parameters are no usable schema: %s', (parameters, why) => {
  const spec = `
version: v1
agent: {name: bot, strategy: react, tools: {include: [look], permissions: {}}}
tools: {look: {description: Look., implementation: look, parameters: ${parameters}}}
`;
  const run = startAgent(spec);
  say(run, { tool_calls: [call('look', { a: 1, b: 'x' })] });
  const [asked] = run.queue;
  const told = asked?.kind === 'call_model' ? itemsOf(asked.messages).at(-1) : undefined;
  expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('"error"') });
  expect(JSON.parse(told?.content ?? '{}').error).toContain(why);
  expect(told?.content).not.toMatch(/https?:|node_modules/);
});

test('`format` in the parameters of a tool is a note; a property may have that name', () => {
  const spec = `
version: v1
agent: {name: bot, strategy: react, tools: {include: [look], permissions: {}}}
tools:
  look:
    description: Look.
    implementation: look
    parameters:
      properties:
        day: {type: string, format: date}
        format: {type: integer}
        any: {anyOf: [{type: string, format: ipv4}], enum: [{format: x}, z]}
`;
  const run = startAgent(spec);
  say(run, { tool_calls: [call('look', { day: 'no day', format: 7, any: 'z' })] });
  expect(run.queue.map(({ kind }) => kind)).toEqual(['call_tool']);
  const other = startAgent(spec);
  say(other, { tool_calls: [call('look', { format: 'x' })] });
  expect(other.state.error?.message).toContain('at #/format');
});

test('a tool result guardrail may redact or stop', () => {
  const guarded = (action: string) => `
version: v1
agent:
  name: bot
  strategy: react
  tools: {include: [look], permissions: {}}
  guardrails: {tool: [{id: t, type: keyword, action: ${action}, config: {keywords: [secret]}}]}
tools: {look: {description: Look., implementation: look}}
`;
  const after = (action: string) => {
    const run = startAgent(guarded(action));
    say(run, { tool_calls: [call('look', {})] });
    apply(run, {
      type: 'effect_succeeded',
      at: nextTime(run),
      effect_id: run.queue.shift()!.id,
      result: { kind: 'value', value: 'a Secret' },
    });
    return run;
  };
  expect(sentTo(after('redact')).at(-1)?.content).toBe('[redacted by tool result guardrail]');
  expect(sentTo(after('warn')).at(-1)?.content).toBe('a Secret');
  expect(after('block').state.error).toEqual({
    type: 'ToolResultGuardrailViolation',
    message: "Guardrail 't' failed: Blocked keywords found: ['secret']",
  });
});
