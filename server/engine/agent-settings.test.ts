import { expect, test } from 'vitest';
import { itemsOf, listOf } from './append-list.ts';
import { message } from './message.ts';
import { toRunFields } from './run-fields.ts';
import { apply, createdRun, drive, nextTime, settle, testSetup } from './testing/drive.ts';
import {
  call,
  online,
  pendingModel,
  REACT,
  say,
  sentTo,
  startAgent,
} from './testing/driven-agent.ts';
import { programOf } from './testing/sample-programs.ts';

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

test('the model is told that a tool gave nothing', () => {
  const run = startAgent(`
version: v1
agent: {name: bot, strategy: react, tools: {include: [look], permissions: {}}}
tools: {look: {description: Look., implementation: look}}
`);
  say(run, { tool_calls: [call('look', {})] });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'value', value: null },
  });
  expect(sentTo(run).at(-1)).toMatchObject({ role: 'tool', content: 'null' });
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
