import { expect, test } from 'vitest';
import { createRun } from '../../engine/create-run.ts';
import type { RuntimeBinding } from '../../engine/effect.ts';
import { apply, createdRun, nextTime, testSetup } from '../../engine/testing/drive.ts';
import { programOf } from '../../engine/testing/sample-programs.ts';
import { isObject } from '../../kernel/json.ts';
import { currentState } from './state-form.ts';

const ONLINE: RuntimeBinding = {
  provider: 'openai',
  model: 'm',
  runtime_mode: 'sdk',
  sdk: 'openai',
  warning: null,
};

const GUARDED = `
version: v1
agent:
  name: root
  guardrails: {workflow: [{id: look, type: agent, ref: judge}]}
workflow:
  type: sequential
  name: one
  steps: [{id: one, kind: agent, ref: writer}]
components:
  agents:
    writer: {name: writer}
    judge: {name: judge}
`;

let lists = 0;

/** The version before kept the messages of agents and of results as plain lists. */
function older(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => older(item));
  if (!isObject(value)) return value;
  const { full, tail } = value;
  if ((key === 'base' || key === 'messages') && Array.isArray(full) && Array.isArray(tail)) {
    lists += 1;
    return [...full.flat(), ...tail];
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, older(item, name)]));
}

test('a state whose agents and results have plain lists goes on as it is (RP 6.5)', () => {
  const run = createdRun(programOf(GUARDED, { bind: () => ONLINE }), testSetup('go'));
  apply(run, { type: 'start', at: nextTime(run) });
  const stored = [run.state];
  const asked = run.queue[0];
  const answer = { text: 'said', tool_calls: [] };
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: asked?.id ?? '',
    result: { kind: 'model', answer },
  });
  stored.push(run.state);
  for (const state of stored) {
    const today: unknown = JSON.parse(JSON.stringify(state));
    expect(currentState(older(today))).toEqual(today);
    expect(currentState(today)).toEqual(today);
  }
  expect(lists).toBe(5);
});

test('what is no state is none', () => {
  const { state } = createRun(testSetup('go'), 'queued', 0);
  expect(currentState(state)).toEqual(state);
  for (const other of [null, 1, {}, { ...state, visited: [] }, { ...state, frames: [] }]) {
    expect(currentState(other)).toBeUndefined();
  }
});
