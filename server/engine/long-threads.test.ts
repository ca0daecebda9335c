import { expect, test } from 'vitest';
import { itemsOf } from './append-list.ts';
import type { RunState } from './state.ts';
import {
  answerTo,
  apply,
  createdRun,
  type DrivenRun,
  nextTime,
  testSetup,
} from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

// A run is stored between two steps: what is read back goes on as if it had never been away.

const TALK = programOf(`
version: v1
agent: {name: root}
workflow:
  type: graph
  start: one
  max_steps: 40
  nodes: {one: {id: one, kind: agent, ref: a}}
  edges: [{from: one, to: one}]
tools: {web_search: {description: Search., implementation: find}}
components: {agents: {a: {name: a, strategy: react, tools: {include: [web_search], permissions: {}}}}}
`);

const same = (state: RunState): RunState => state;
const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

/** Drives a run, of which the state passes through `kept` before each event. */
function driven(input: string, kept: (state: RunState) => RunState): DrivenRun {
  const run = createdRun(TALK, testSetup(input));
  apply(run, { type: 'start', at: nextTime(run) });
  for (let effect = run.queue.shift(); effect !== undefined; effect = run.queue.shift()) {
    run.state = kept(run.state);
    const event = answerTo(effect, { find: () => 'we search on' }, nextTime(run));
    if (event !== undefined) apply(run, event);
  }
  return run;
}

test.each(['hello', 'search for it'])('a long talk goes on after restarts: %s', (input) => {
  const whole = driven(input, same);
  const parts = driven(input, stored);
  expect(itemsOf(whole.state.visited)).toHaveLength(40);
  expect(whole.state.messages.length).toBeGreaterThan(64);
  expect(parts.state).toEqual(whole.state);
  expect(parts.checkpoints.length).toBe(whole.checkpoints.length);
});
