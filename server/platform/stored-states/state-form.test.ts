import { expect, test } from 'vitest';
import { createRun } from '../../engine/create-run.ts';
import type { RuntimeBinding } from '../../engine/effect.ts';
import { apply, createdRun, nextTime, testSetup } from '../../engine/testing/drive.ts';
import { programOf } from '../../engine/testing/sample-programs.ts';
import { readState } from './state-form.ts';

const ONLINE: RuntimeBinding = {
  provider: 'openai',
  model: 'm',
  runtime_mode: 'sdk',
  sdk: 'openai',
  warning: null,
};

const STEPS = `
version: v1
agent: {name: root}
workflow:
  type: sequential
  name: one
  steps: [{id: one, kind: agent, ref: writer}]
components:
  agents:
    writer: {name: writer}
`;

test('a state goes on as it is, at its begin and while a model is asked (RP 6.5)', () => {
  const run = createdRun(programOf(STEPS, { bind: () => ONLINE }), testSetup('go'));
  const stored = [run.state];
  apply(run, { type: 'start', at: nextTime(run) });
  stored.push(run.state);
  for (const state of stored) {
    const read: unknown = JSON.parse(JSON.stringify(state));
    expect(readState(read)).toEqual(read);
  }
});

test('what is no state is none', () => {
  const { state } = createRun(testSetup('go'), 'queued', 0);
  expect(readState(state)).toEqual(state);
  for (const other of [null, 1, {}, { ...state, visited: [] }, { ...state, frames: [] }]) {
    expect(readState(other)).toBeUndefined();
  }
});
