import { expect, test } from 'vitest';
import { listOf } from './append-list.ts';
import { message } from './message.ts';
import { toRunFields } from './run-fields.ts';
import { apply, createdRun, nextTime, testSetup } from './testing/drive.ts';
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
