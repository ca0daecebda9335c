import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import { conditionHolds } from './conditions.ts';
import { toRunFields } from './run-fields.ts';
import { apply, createdRun, nextTime, settle, testSetup } from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';
import { agentStep, call, chain, go, HANDLERS, spec } from './testing/short-specs.ts';
import { argumentProblem } from './tool-arguments.ts';

test('5: an output is compared with truth values as text, with any case unless said otherwise', () => {
  const facts = {
    output: 'True',
    metadata: { a: null },
    variables: {},
    status: 'completed',
  } as const;
  const holds = (condition: object) => conditionHolds(condition as never, facts);
  expect(holds({ type: 'output_equals', value: true })).toBe(true);
  expect(holds({ type: 'output_equals', value: true, case_sensitive: true })).toBe(true);
  expect(holds({ type: 'output_contains', value: false })).toBe(false);
  expect(holds({ type: 'output_equals', value: 'true', case_sensitive: true })).toBe(false);
  expect(holds({ type: 'metadata_equals', key: null, value: null })).toBe(true);
  expect(holds({ type: 'variable_equals', key: null, value: 1 })).toBe(false);
  expect(holds({ type: 'all_of' })).toBe(true);
  expect(holds({ type: 'any_of' })).toBe(false);
  expect(holds({ type: 'not' })).toBe(false);
  expect(holds({ type: 'never' })).toBe(false);
});

test('4, 10: edges of disabled nodes are left out, so the run ends there', () => {
  const run = go(
    spec(
      {},
      {
        type: 'graph',
        start: 'a',
        nodes: {
          a: call('a', 'up'),
          b: call('b', 'mark', { enabled: false }),
          c: call('c', 'mark'),
        },
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'c' },
        ],
      },
    ),
  );
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'GO' });
});

test('10: an agent with an empty skill has no prompt, and empty settings take their defaults', () => {
  const program = programOf(
    JSON.stringify({
      version: 'v1',
      agent: {
        name: 'root',
        skills: ['s'],
        memory: { policy: 'sliding_window', max_messages: '' },
      },
      skills: { s: { source: 'skills/s' } },
    }),
    { skills: { s: '  ' } },
  );
  expect(program.agents['']).toMatchObject({
    system_prompt: null,
    memory: { max_messages: 20, keep_system: true },
  });
});

test('11.1, 11.5: memory full leaves the messages as they are and is told in the metadata', () => {
  const run = go(spec({ memory: { policy: 'full' } }, null));
  expect(toRunFields(run.state).metadata['memory']).toEqual({
    policy: 'full',
    before_message_count: 1,
    after_message_count: 1,
  });
});

test('11.3: an agent tool may be a workflow; its agents keep no span around them', () => {
  const text = spec(
    { strategy: 'react', tools: { include: ['web_search'], permissions: {} } },
    null,
    {
      agents: { team: { name: 'team', as_agent: 'inner' }, a: { name: 'a' } },
      workflows: { inner: { type: 'sequential', steps: [call('x', 'mark')] } },
    },
    { web_search: { description: 'd', agent: 'team' } },
  );
  const program = programOf(text);
  const run = createdRun(program, testSetup('search me', 'agent'));
  apply(run, { type: 'start', at: nextTime(run) });
  const ask = run.queue.shift()!;
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: ask.id,
    result: {
      kind: 'model',
      answer: {
        text: 'I ask.',
        tool_calls: [{ id: 'c', name: 'web_search', arguments: { input: 'question' } }],
      },
    },
  });
  settle(run, HANDLERS);
  expect(run.state.output_text).toBe('Final answer based on tool results: question!');
  expect(run.trace.map((event) => event.type)).toEqual(['run_started', 'run_completed']);
});

test('11.3: a tool that a client answers like a model gives its text', () => {
  const text = spec(
    { strategy: 'react', tools: { include: ['web_search'], permissions: {} } },
    null,
    {},
    { web_search: { description: 'd', implementation: 'up' } },
  );
  const run = createdRun(programOf(text), testSetup('search', 'agent'));
  apply(run, { type: 'start', at: nextTime(run) });
  const answer = { text: 'T', tool_calls: [{ id: 'c', name: 'web_search', arguments: {} }] };
  for (const [text_, calls] of [
    ['T', answer.tool_calls],
    ['hit', []],
    ['end', []],
  ] as const) {
    apply(run, {
      type: 'effect_succeeded',
      at: nextTime(run),
      effect_id: run.queue.shift()!.id,
      result: { kind: 'model', answer: { text: text_, tool_calls: calls } },
    });
  }
  expect(run.state.messages.map((item) => item.content)).toEqual(['search', 'T', 'hit', 'end']);
});

test('11.3: arguments are refused with the place that does not fit', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
  };
  expect(argumentProblem('t', schema, { n: 'x' })?.message).toMatch(/ at #\/n: /);
  expect(argumentProblem('t', schema, {})?.message).toMatch(/are invalid: /);
  expect(argumentProblem('t', schema, { n: 1 })).toBeUndefined();
});

test('11.4: a pattern that cannot be decided within its steps does not pass', () => {
  const guard = (action: string) => ({
    guardrails: {
      output: [
        { id: 'slow', type: 'regex', action, config: { patterns: ['(a|aa)+\\1$', '(b|bb)+\\1$'] } },
      ],
    },
  });
  const blocked = go(spec(guard('block'), null), `${'a'.repeat(200)}!`);
  expect(blocked.state.error).toEqual({
    type: 'GuardrailViolation',
    message:
      "Guardrail 'slow' failed: guardrail_limit_exceeded: Regex guardrail could not be decided within its limit: ['(a|aa)+\\\\1$']",
  });
  expect(go(spec(guard('warn'), null), `${'a'.repeat(200)}!`).state.status).toBe('completed');
});

test('11.4: an agent of a workflow guardrail that is a workflow is not guarded by itself', () => {
  const run = go(
    spec(
      { guardrails: { workflow: [{ id: 'w', type: 'agent', ref: 'judge', action: 'warn' }] } },
      chain(call('one', 'up')),
      {
        agents: { judge: { name: 'judge', as_agent: 'court' } },
        workflows: { court: { type: 'sequential', steps: [call('say', 'mark')] } },
      },
    ),
  );
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'GO' });
  expect(toRunFields(run.state).metadata['guardrail_warnings']).toMatchObject([{ reason: 'GO!' }]);
});

test('11.5: a summarizer that finds nothing leaves an empty summary', () => {
  const text = spec({}, chain(agentStep('one', 'a'), agentStep('two', 'a')), {
    agents: {
      a: { name: 'a', memory: { policy: 'summary', summarizer: { ref: 'nothing' } } },
    },
  });
  const run = go(text);
  expect(run.state).toMatchObject({
    status: 'completed',
    output_text: 'Final answer: Final answer: go',
  });
});

test('12: a function that runs into its time limit is a timeout and is not repeated', () => {
  const run = createdRun(
    programOf(spec({}, chain(call('one', 'up', { max_retries: 3, on_error: 'continue' })))),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_failed',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    error: { message: 'too slow', timed_out: true },
  });
  expect(run.state).toMatchObject({ status: 'completed', output_text: 'go' });
  expect(toRunFields(run.state).metadata['workflow']).toMatchObject({ visited_steps: ['one'] });
});

test('12: a handoff without turns completes and says nothing', () => {
  const run = go(spec({}, { type: 'handoff', max_iterations: 0, participants: [call('p', 'up')] }));
  expect(run.state).toMatchObject({ status: 'completed', output_text: '' });
});

test('12: participants that end out of order are listed and merged in their order', () => {
  const participants = Array.from({ length: 40 }, (_, i) => call(`p${i}`, 'mark'));
  const run = createdRun(
    programOf(spec({}, { type: 'concurrent', participants })),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  const effects = [...run.queue].reverse();
  for (const [index, effect] of effects.entries()) {
    apply(run, {
      type: 'effect_succeeded',
      at: nextTime(run),
      effect_id: effect.id,
      result: { kind: 'value', value: `from ${39 - index}` },
    });
  }
  expect(itemsOf(run.state.visited)).toEqual(participants.map((item) => item.id));
  expect(run.state.messages.slice(1).map((item) => item.content)).toEqual(
    participants.map((_, i) => `from ${i}`),
  );
  let visited: string[] = [];
  for (const row of run.checkpoints) {
    visited = [...visited.slice(0, row.growth.visited.keep), ...row.growth.visited.tail];
    expect(toRunFields(row.state).visited_steps).toEqual(visited);
  }
});

test('12: of several failed participants the first in their order fails the run', () => {
  const participants = [call('p', 'up'), call('q', 'up'), call('r', 'up')];
  const run = createdRun(
    programOf(spec({}, { type: 'concurrent', participants })),
    testSetup('go'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  for (const [index, effect] of [...run.queue].reverse().entries()) {
    apply(run, {
      type: 'effect_failed',
      at: nextTime(run),
      effect_id: effect.id,
      error: { message: `fault ${2 - index}` },
    });
  }
  expect(run.state.error?.message).toBe('fault 0');
});
