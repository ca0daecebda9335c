import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import {
  append,
  findLastItem,
  itemsFrom,
  itemsOf,
  listLength,
  listOf,
  replaceLast,
} from './append-list.ts';
import { conditionHolds } from './conditions.ts';
import { failureClass } from './failure.ts';
import { decisionText, selectsUnknownOption } from './human.ts';
import { getNamed, setNamed } from './name-map.ts';
import { pythonLiteral } from './python-text.ts';
import { replayContext } from './recovery.ts';
import { toRunFields } from './run-fields.ts';
import { areBelow, countBelow, deleteSeq, getSeq, seqValues, setSeq } from './seq-map.ts';
import { step } from './step.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  decide,
  drive,
  nextTime,
  rerunOf,
  settle,
  type TestHandlers,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';
import { argumentProblem } from './tool-arguments.ts';
import { previewOf } from './trace.ts';
import { parseUsage } from './usage.ts';

const HANDLERS: TestHandlers = {
  up: (text) => String(text).toUpperCase(),
  mark: (text) => `${text}!`,
  no: () => false,
  nothing: () => null,
  broken: () => {
    throw new Error('down');
  },
};

function spec(
  agent: JsonObject,
  workflow: object | null,
  more: JsonObject = {},
  tools: object = {},
) {
  return JSON.stringify({
    version: 'v1',
    agent: { name: 'root', ...agent },
    ...(workflow === null ? {} : { workflow }),
    tools,
    components: {
      functions: Object.fromEntries(
        Object.keys(HANDLERS).map((name) => [name, { implementation: name }]),
      ),
      ...more,
    },
  });
}

function go(text: string, input = 'go', target: 'agent' | 'workflow' = 'workflow'): DrivenRun {
  return drive(programOf(text), testSetup(input, target), HANDLERS);
}

const call = (id: string, ref: string, more: object = {}) => ({
  id,
  kind: 'function',
  ref,
  ...more,
});
const agentStep = (id: string, ref: string, more: object = {}) => ({
  id,
  kind: 'agent',
  ref,
  ...more,
});
const chain = (...steps: object[]) => ({ type: 'sequential', steps });

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
    expect(row.run.visited_steps).toEqual(visited);
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

test('13: a decision without its content passes the input on', () => {
  expect(decisionText({ decision: 'selected' }, 'in')).toBe('in');
  expect(decisionText({ decision: 'edited' }, 'in')).toBe('in');
  const request = { options: null } as never;
  expect(selectsUnknownOption(request, { decision: 'selected' })).toBe(false);
  expect(selectsUnknownOption(request, { decision: 'selected', selected_option: 'x' })).toBe(false);
});

test('13, 15: a graph that was blocked may be run again from its answer with other messages', () => {
  const text = spec(
    {},
    {
      type: 'graph',
      start: 'a',
      nodes: { a: call('a', 'up'), h: { id: 'h', kind: 'human', ref: 'h' }, z: call('z', 'mark') },
      edges: [
        { from: 'a', to: 'h' },
        { from: 'h', to: 'z', condition: { type: 'output_contains', value: 'yes' } },
      ],
    },
    { humans: { h: { request_type: 'freeform' } } },
  );
  const run = go(text);
  expect(replayContext(run.state, true)).toMatchObject({
    can_continue: false,
    resume_input: 'GO',
    completed_nodes: ['a'],
  });
  decide(run, { decision: 'provided', content: 'no' }, HANDLERS);
  expect(run.state.output_text).toBe('no');
  expect(replayContext(run.state, true)).toMatchObject({ failed_node: null, resume_input: null });
  const index = run.checkpoints.findIndex((row) => row.type === 'human_resume');
  const again = rerunOf(run, index, { input: 'yes', messages: [] });
  apply(again, { type: 'start', at: nextTime(again) });
  settle(again, HANDLERS);
  expect(again.state.output_text).toBe('yes!');
  const before = rerunOf(run, 1, { messages: [{ role: 'user', content: 'm' }] });
  apply(before, { type: 'start', at: nextTime(before) });
  expect(before.state.pause?.input).toBe('GO');
});

test('15: continue leaves a place from which a rerun can begin, with another input', () => {
  const text = spec(
    {},
    {
      type: 'graph',
      start: 'a',
      nodes: { a: call('a', 'up'), b: call('b', 'broken'), c: call('c', 'mark') },
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    },
  );
  const run = go(text);
  apply(run, { type: 'continued', at: nextTime(run) });
  settle(run, HANDLERS);
  const index = run.checkpoints.findLastIndex((row) => row.type === 'step_failed');
  const again = rerunOf(run, index, { input: 'other' });
  apply(again, { type: 'start', at: nextTime(again) });
  settle(again, { ...HANDLERS, broken: (input) => `<${input}>` });
  expect(again.state.output_text).toBe('<other>!');
});

test('6.2: the platform fails a run wherever it stands; only chains and graphs can be continued', () => {
  const error = { type: 'dead_letter', message: 'too often' };
  const concurrent = createdRun(
    programOf(spec({}, { type: 'concurrent', participants: [call('p', 'up')] })),
    testSetup('go'),
  );
  apply(concurrent, { type: 'start', at: nextTime(concurrent) });
  apply(concurrent, { type: 'failed', at: nextTime(concurrent), error });
  expect(concurrent.state).toMatchObject({ status: 'failed', error, restart: null });
  const blocked = go(spec({}, chain({ id: 'h', kind: 'human', ref: 'h' }), { humans: { h: {} } }));
  expect(blocked.state.status).toBe('blocked');
  apply(blocked, { type: 'failed', at: nextTime(blocked), error });
  expect(blocked.state).toMatchObject({ status: 'failed', restart: null, pause: null });
  const late = createdRun(programOf(spec({}, null)), testSetup('go'));
  apply(late, { type: 'deadline_passed', at: nextTime(late) });
  expect(late.state.error?.message).toBe('Run exceeded its 0s timeout.');
});

test('12: a workflow behind an agent that fails emits no event of its own', () => {
  const run = go(
    spec({}, chain(agentStep('t', 'team')), {
      agents: { team: { name: 'team', as_agent: 'inner' } },
      workflows: { inner: { type: 'sequential', steps: [call('x', 'broken')] } },
    }),
  );
  expect(run.trace.map((event) => event.type)).toEqual([
    'workflow_started',
    'run_started',
    'run_failed',
    'workflow_failed',
  ]);
});

test('6.3, 4.2: every fixed type has its answer', () => {
  expect(
    ['GuardrailViolation', 'ToolMiddlewareViolation', 'SpecCompilationError'].map(failureClass),
  ).toEqual(['guardrail_violation', 'guardrail_violation', 'spec_invalid']);
});

test('17: usage without parts counts as nothing but its total', () => {
  expect(parseUsage({ total_tokens: 7 })).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 7,
  });
  const run = createdRun(programOf(spec({}, null)), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: run.queue.shift()!.id,
    result: { kind: 'model', answer: { text: 'a', tool_calls: [], usage: { output_tokens: 3 } } },
  });
  expect(run.state.usage).toEqual({ input_tokens: 0, output_tokens: 3, total_tokens: 3 });
});

test('14: a preview counts characters, not UTF-16 units', () => {
  const text = '😀'.repeat(400);
  expect(previewOf(text, (same) => same)).toBe(text);
});

test('11.2: characters that do not print are escaped as in the recorded answers', () => {
  expect(pythonLiteral('\u{e0001}\u200b')).toBe("'\\U000e0001\\u200b'");
  expect(pythonLiteral([false, null])).toBe('[False, None]');
});

test('no event works for ever: a run that waits for nothing and does not end is failed', () => {
  const level = (n: number): object => ({
    type: 'sequential',
    steps: Array.from({ length: 8 }, (_, i) => ({
      id: `s${i}`,
      kind: n === 0 ? 'human' : 'workflow',
      ref: n === 0 ? 'h' : `w${n - 1}`,
      on_error: 'continue',
    })),
  });
  const text = spec(
    {},
    { ...level(5) },
    {
      humans: { h: {} },
      workflows: Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`w${n}`, { ...level(n) }])),
    },
  );
  const run = createdRun(programOf(text), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  expect(run.state).toMatchObject({
    status: 'failed',
    error: { type: 'RunLimitExceeded' },
    frames: {},
  });
});

test('a step without its program refuses events that need it', () => {
  const run = go(spec({}, chain({ id: 'h', kind: 'human', ref: 'h' }), { humans: { h: {} } }));
  const decision = { decision: 'approved' } as const;
  expect(() => step(null, run.state, { type: 'human_decided', at: 1, decision })).toThrow(
    TypeError,
  );
});

test('an append-only list is the same as an array', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(9), { maxLength: 40 }), { maxLength: 8 }),
      fc.nat(120),
      (parts, start) => {
        let list = listOf<number>([]);
        for (const part of parts) {
          const before = JSON.stringify(list);
          const next = append(list, ...part);
          expect(JSON.stringify(list)).toBe(before);
          list = next;
        }
        const flat = parts.flat();
        const from = Math.min(start, flat.length);
        expect(listLength(list)).toBe(flat.length);
        expect(itemsOf(list)).toEqual(flat);
        expect(itemsFrom(list, from)).toEqual(flat.slice(from));
        expect(JSON.stringify(list)).toBe(JSON.stringify(listOf(flat)));
        expect(findLastItem(list, (item) => item === 5)).toBe(flat.findLast((item) => item === 5));
        const at = flat.lastIndexOf(5);
        const changed = itemsOf(
          replaceLast(
            list,
            (item) => item === 5,
            () => 77,
          ),
        );
        expect(changed).toEqual(at === -1 ? flat : flat.with(at, 77));
      },
    ),
    { numRuns: 150 },
  );
});

test('a map of numbers keeps their order and shares nothing that it changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { maxLength: 60 }), (moves) => {
      let map = {};
      const known = new Map<number, number>();
      for (const [key, add] of moves) {
        const before = JSON.stringify(map);
        const next = add ? setSeq(map, key, key) : deleteSeq(map, key);
        expect(JSON.stringify(map)).toBe(before);
        map = next;
        if (add) known.set(key, key);
        else known.delete(key);
        expect(getSeq(map, key)).toBe(known.get(key));
        expect(countBelow(map, key)).toBe([...known.keys()].filter((one) => one < key).length);
        expect(areBelow(map, key)).toBe([...known.keys()].every((one) => one < key));
      }
      expect([...seqValues(map)]).toEqual([...known.values()].sort((a, b) => a - b));
      if (known.size === 0) expect(map).toEqual({});
    }),
    { numRuns: 150 },
  );
});

test('a map of names takes any name', () => {
  const names = ['__proto__', 'constructor', '', 'é', 'toString', ...Array(50).keys()].map(String);
  let map = {};
  for (const name of names) map = setNamed(map, name, name.length);
  expect(names.map((name) => getNamed(map, name))).toEqual(names.map((name) => name.length));
  expect(getNamed(map, 'valueOf')).toBeUndefined();
  expect(JSON.parse(JSON.stringify(map))).toEqual(map);
});
